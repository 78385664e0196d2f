// The release against its original [R1-R9]. Long work is done in slices: a function with a star gives way now and then.

const MOST_VECTORS = 1 << 22; // [T7]

class Fitted {
  /** A policy on one original: hierarchies, heights, mask, costs; and how a released cell reads. */
  constructor(policy, original) {
    this.policy = policy;
    this.original = original;
    const named = [...policy.quasi, ...policy.sensitive], gone = policy.identifiers;
    if (![...named, ...gone].every((column) => original.names.includes(column)) || policy.k > original.rows.length) {
      unreadable("the original lacks a column that the policy names, or has no rows, or fewer than k");
    }
    this.kept = original.names.filter((c) => named.includes(c) || (policy.other === "keep" && !gone.includes(c)));
    this.others = this.kept.filter((column) => !policy.quasi.includes(column));
    this.judged = original.names.filter((column) => policy.models.some((model) => model.judged.includes(column)));
    this.at = policy.quasi.map((column) => original.column(column));
    this.values = this.at.map((j) => ranked(original.rows.map((row) => row[j])));
    if (policy.star !== null && this.values.some((values) => values.includes(policy.star))) {
      unreadable("the original already holds the star text");
    }
    this.trees = policy.quasi.map((column, j) => (policy.hierarchies.has(column)
      ? hierarchyOf(policy.hierarchies.get(column), this.values[j], policy) : null));
    this.heights = this.trees.map((tree) => (tree ? tree.height : 1));
    this.mask = maskOf(policy.mask, policy.quasi, this.heights);
    let changing = this.heights.map(() => true);
    if (vectorsIn(this.heights) <= 1 << 16) {
      let some = false;
      changing = this.heights.map(() => false);
      for (const vector of vectorsUpTo(this.heights)) {
        if (!this.mask.allows(vector)) continue;
        some = true;
        vector.forEach((level, j) => { changing[j] = changing[j] || level > 0; });
      }
      if (!some) unreadable("the mask allows no pattern at all");
    }
    this.labelled = this.trees.map((tree, j) => (changing[j] ? tree : null)); // what is never changed shows no labels
    this.weights = policy.quasi.map((column) => policy.weights.get(column) || ONE);
    // per column and line the costs of its levels [T4]
    this.costs = this.trees.map((tree, j) => (tree === null ? [[ZERO, ONE]] : tree.costs(policy.cost))
      .map((line) => line.map((cost) => cost.times(this.weights[j]))));
    const told = this.costs.flat(2), most = told.reduce((a, b) => (a.below(b) ? b : a));
    this.scale = told.reduce((all, cost) => (all / greatestDivisor(all, cost.d)) * cost.d, 1n);
    const all = most.times(new Fraction(BigInt(original.rows.length * this.at.length) * this.scale));
    if (this.scale >= 1n << 62n || !all.below(new Fraction(1n << 62n))) {
      unreadable("the costs have too many digits to be added up");
    }
  }

  /** The lowest and highest level that a released cell may stand at [R3]. */
  reading(j, cell) {
    const tree = this.labelled[j], star = this.policy.star;
    if (star !== null && cell === star) return tree ? [tree.height, tree.height] : [1, 1];
    return tree && tree.low.has(cell) ? [tree.low.get(cell), tree.high.get(cell)] : [0, 0];
  }
}

/** What is wrong with a release, and its least and greatest cost (null where it lacks a column). */
function* releasedAsAsked(fitted, released) {
  const { policy, original } = fitted;
  const lost = fitted.kept.map((_, j) => j).filter((j) => !released.names.includes(fitted.kept[j]));
  const found = lost.map((j) => `columns: missing number ${j + 1}`); // [R1]
  if (found.length) return [found, costOf(fitted, released)];
  if (released.names.join("\0") !== fitted.kept.join("\0")) {
    found.push("columns: others than those kept, or in another order");
  }
  if (released.rows.length !== original.rows.length) found.push("rows"); // [R2]
  yield "rows and classes";
  const star = policy.star, m = policy.quasi.length;
  const places = policy.quasi.map((column) => released.column(column));
  const others = fitted.others.map((column) => released.column(column));
  const judged = fitted.judged.map((column) => released.column(column));
  const judgedBefore = fitted.judged.map((column) => original.column(column));
  const [kinds, table] = countedLists(original.rows.map((row) => judgedBefore.map((j) => row[j])));
  const number = new Map(kinds.map((kind, s) => [keyOf(kind), s]));
  const classes = new Map(); // by key: cells, rows, rows by kind; null where a kind is not in the table
  for (const row of released.rows) {
    const cells = places.map((j) => row[j]), key = keyOf(cells), kind = number.get(keyOf(judged.map((j) => row[j])));
    if (!classes.has(key)) classes.set(key, { cells, rows: 0, kinds: new Map(), known: true });
    const one = classes.get(key);
    one.rows += 1;
    if (kind === undefined) one.known = false;
    else one.kinds.set(kind, (one.kinds.get(kind) || 0) + 1);
  }
  const every = [...classes.values()];
  const asked = policy.outliers === "forbid" ? every : every.filter(({ cells }) => cells.some((cell) => cell !== star));
  if (asked.some(({ rows }) => rows < policy.k)) found.push(`k=${policy.k}`); // [R4]
  for (const model of policy.models) { // [R5]
    const requirement = new Requirement(model, fitted.judged, kinds, table);
    let good = true;
    for (const one of every) {
      if (!one.known || !requirement.met(one.kinds)) {
        good = false;
        break;
      }
      yield "requirements of classes";
    }
    if (!good) found.push(model.rule);
  }
  if (star !== null) { // [R6]
    const known = new Map();
    let good = true;
    for (const { cells } of every) {
      const reading = cells.map((cell, j) => fitted.reading(j, cell)), key = reading.join();
      if (!known.has(key)) known.set(key, keepsMask(fitted, reading));
      good = good && known.get(key);
      if (!good) break;
    }
    if (!good) found.push("mask");
  }
  yield "values";
  const values = fitted.values.map((some) => new Set(some));
  const shown = (cell, j) => cell === star || values[j].has(cell) || fitted.reading(j, cell).some((level) => level > 0);
  if (!every.every(({ cells }) => cells.every(shown))) found.push("invented value"); // [R7]
  const otherBefore = fitted.others.map((column) => original.column(column));
  const before = original.rows.map((row) => [fitted.at.map((j) => row[j]), otherBefore.map((j) => row[j])]);
  const after = released.rows.map((row) => [places.map((j) => row[j]), others.map((j) => row[j])]);
  if (!(yield* paired(fitted, before, after, m))) found.push("faithful"); // [R8]
  return [found, costOf(fitted, released)];
}

/** The level vectors among the readings of some cells that keep the mask, one by one [R6]. */
function* keptReadings(fitted, reading) {
  const width = reading.map(([low, high]) => high - low);
  if (vectorsIn(width) > 1 << 16) unreadable("a row of the release can be read at too many levels");
  for (const more of vectorsUpTo(width)) {
    const vector = more.map((level, j) => level + reading[j][0]);
    if (fitted.mask.allows(vector)) yield vector;
  }
}

/** Whether some reading of the cells keeps the mask [R6]. */
const keepsMask = (fitted, reading) => !keptReadings(fitted, reading).next().done;

/** What the release costs, least and most, as two fractions [R9]. */
function costOf(fitted, released) {
  const { policy, weights } = fitted;
  if (!policy.quasi.every((column) => released.names.includes(column))) return null;
  const places = policy.quasi.map((column) => released.column(column));
  let low = ZERO, high = ZERO;
  if (policy.star === null) { // a star is NULL, and so may be what was missing before
    places.forEach((place, j) => {
      const after = released.rows.filter((row) => row[place] === null).length;
      const before = fitted.original.rows.filter((row) => row[fitted.at[j]] === null).length;
      low = low.plus(weights[j].times(fraction(Math.max(after - before, 0))));
      high = high.plus(weights[j].times(fraction(after)));
    });
    return [low, high];
  }
  const byLevel = fitted.costs.map((costs, j) => { // what a column's levels cost, if they do so whatever they show
    if (fitted.labelled[j] === null) return [...new Array(fitted.heights[j]).fill(ZERO), weights[j]];
    return costs.every((line) => line.every((cost, level) => cost.equals(costs[0][level]))) ? costs[0] : null;
  });
  const told = new Map(), counted = new Map();
  for (const row of released.rows) {
    const cells = places.map((place) => row[place]), key = keyOf(cells);
    if (counted.has(key)) counted.get(key).rows += 1;
    else counted.set(key, { cells, rows: 1 });
  }
  for (const { cells, rows } of counted.values()) {
    const reading = cells.map((cell, j) => fitted.reading(j, cell)), key = reading.join();
    if (!told.has(key)) told.set(key, costsTogether(fitted, byLevel, reading));
    let [cheap, dear] = told.get(key);
    cells.forEach((cell, j) => {
      if (byLevel[j] !== null) return;
      const line = fitted.costs[j][fitted.labelled[j].first.get(cell) || 0];
      cheap = cheap.plus(line[reading[j][0]]);
      dear = dear.plus(line[reading[j][1]]);
    });
    low = low.plus(cheap.times(fraction(rows)));
    high = high.plus(dear.times(fraction(rows)));
  }
  return [low, high];
}

/** What the columns whose levels have costs of their own come to, least and most, at readings that keep the mask. */
function costsTogether(fitted, byLevel, reading) {
  const sum = (vector) => vector.reduce((all, level, j) => (byLevel[j] === null ? all : all.plus(byLevel[j][level])), ZERO);
  const ends = [0, 1].map((end) => sum(reading.map((levels) => levels[end])));
  if (ends[0].equals(ends[1])) return ends;
  let low = null, high = null;
  for (const vector of keptReadings(fitted, reading)) {
    const cost = sum(vector);
    if (low === null || cost.below(low)) low = cost;
    if (high === null || high.below(cost)) high = cost;
  }
  return low === null ? ends : [low, high];
}

/** Whether a row may have become another with NULLs for stars, the mask kept by some reading of them. */
function nullFits(fitted, after, before, m) {
  const reading = Array.from({ length: m }, (_, j) => [Number(after[j] === null && before[j] !== null), Number(after[j] === null)]);
  return keepsMask(fitted, reading);
}

/** Whether every released row comes from an original of its own: a maximum flow between kinds of rows [R8]. */
function* paired(fitted, before, after, m) {
  const blocks = new Map();
  for (const [side, rows] of [["have", before], ["want", after]]) {
    for (const [cells, others] of rows) {
      const key = keyOf(others);
      if (!blocks.has(key)) {
        if (side === "want") return false;
        blocks.set(key, { have: [], want: [] });
      }
      blocks.get(key)[side].push(cells);
    }
  }
  const star = fitted.policy.star;
  for (const block of blocks.values()) {
    yield "rows paired with originals";
    if (block.want.length > block.have.length) return false;
    const [have, supply] = countedLists(block.have), [want, demand] = countedLists(block.want);
    if (have.length === 1 && want.length === 1 && star !== null && keyOf(have[0]) === keyOf(want[0])) continue; // the same cells
    const patterns = new Map(); // by which cell shows which level (null: nothing), the released kinds
    want.forEach((cells, r) => {
      const levels = cells.map((cell, j) => (cell === star ? null : fitted.reading(j, cell)[0])), key = levels.join();
      if (!patterns.has(key)) patterns.set(key, [levels, []]);
      patterns.get(key)[1].push(r);
    });
    const fits = want.map(() => []), labels = new Labels(fitted, have, m);
    for (const [levels, some] of patterns.values()) {
      const shown = levels.map((_, j) => j).filter((j) => levels[j] !== null);
      const keys = labels.keys(shown, levels); // first: it numbers the labels
      const byShown = new Map(some.map((r) => [labels.shown(shown, want[r]), r]));
      for (let o = 0; o < have.length; o += 1) {
        const r = byShown.get(keys[o]);
        if (r !== undefined && (star !== null || nullFits(fitted, want[r], have[o], m))) fits[r].push(o);
      }
      yield "rows paired with originals";
    }
    if (!allSupplied(supply, demand, fits)) return false;
  }
  return true;
}

class Labels {
  /** What some original cells show at their levels, as numbers: a column's labels are numbered from 1 on. */
  constructor(fitted, cells, m) {
    this.fitted = fitted;
    this.cells = cells;
    this.known = Array.from({ length: m }, () => new Map());
    this.codes = Array.from({ length: m }, () => []); // by column and level, the number of every row's label
    const places = Array.from({ length: m }, (_, j) => j);
    const sizes = places.map((j) => 2 + new Set(cells.map((row) => row[j])).size * (fitted.heights[j] + 1));
    this.apart = sizes.reduce((all, size) => all * size, 1) < 2 ** 53 ? sizes : null; // else joined as texts
  }

  code(j, label) {
    const known = this.known[j];
    if (!known.has(label)) known.set(label, known.size + 1);
    return known.get(label);
  }

  /** The key of a released row; 0 stands for what no original shows. */
  shown(places, row) {
    const codes = places.map((j) => this.known[j].get(row[j]) || 0);
    return this.apart ? codes.reduce((key, code, at) => key * this.apart[places[at]] + code, 0) : codes.join();
  }

  /** The keys of all original rows at some levels. */
  keys(places, levels) {
    const columns = places.map((j) => this.column(j, levels[j]));
    if (!this.apart) return this.cells.map((_, o) => columns.map((column) => column[o]).join());
    const keys = new Float64Array(this.cells.length);
    columns.forEach((column, at) => {
      const size = this.apart[places[at]];
      for (let o = 0; o < keys.length; o += 1) keys[o] = keys[o] * size + column[o];
    });
    return keys;
  }

  column(j, level) {
    if (!this.codes[j][level]) {
      const tree = this.fitted.trees[j], label = (cell) => (level ? tree.shown[tree.of.get(cell)][level] : cell);
      this.codes[j][level] = Int32Array.from(this.cells, (row) => this.code(j, label(row[j])));
    }
    return this.codes[j][level];
  }
}

/** Whether every kind r of `demand` rows can get them all from the kinds in `fits[r]`: a maximum flow. */
function allSupplied(supply, demand, fits) {
  const left = [...supply], lacks = [...demand], flow = supply.map(() => new Map()), openFor = supply.map(() => 0);
  for (const some of fits) for (const o of some) openFor[o] += 1;
  const move = (o, r, amount) => flow[o].set(r, (flow[o].get(r) || 0) + amount);
  for (const r of demand.map((_, at) => at).sort((a, b) => fits[a].length - fits[b].length)) {
    fits[r].sort((a, b) => openFor[a] - openFor[b]);
    for (const o of fits[r]) {
      if (!lacks[r]) break;
      const amount = Math.min(left[o], lacks[r]);
      left[o] -= amount;
      lacks[r] -= amount;
      if (amount) move(o, r, amount);
    }
  }
  while (lacks.some((lack) => lack > 0)) { // shortest ways to what is left: from r to an o that fits, on to what o supplies
    const queue = lacks.map((_, r) => r).filter((r) => lacks[r]);
    const came = new Map(), through = new Map(queue.map((r) => [r, null])), ends = [];
    for (const r of queue) {
      for (const o of fits[r]) {
        if (came.has(o)) continue;
        came.set(o, r);
        if (left[o]) ends.push(o);
        for (const [x, amount] of flow[o]) {
          if (amount && !through.has(x)) {
            through.set(x, o);
            queue.push(x);
          }
        }
      }
    }
    if (!ends.length) return false;
    for (const end of ends) {
      const path = [];
      for (let o = end; o !== null; o = through.get(came.get(o))) path.push([o, came.get(o)]);
      let amount = Math.min(left[end], lacks[path[path.length - 1][1]]);
      for (let at = 0; at + 1 < path.length; at += 1) amount = Math.min(amount, flow[path[at + 1][0]].get(path[at][1]) || 0);
      left[end] -= amount;
      lacks[path[path.length - 1][1]] -= amount;
      for (const [o, r] of path) move(o, r, amount);
      for (let at = 0; at + 1 < path.length; at += 1) move(path[at + 1][0], path[at][1], -amount);
    }
  }
  return true;
}
