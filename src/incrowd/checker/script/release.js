// The release against its original [R1-R9]. A function with a star gives way now and then.

const MOST_VECTORS = 1 << 22; // [T7]

class Fitted {
  /** A policy on one original: hierarchies, heights, mask, costs; how a released cell reads. `steps`: a certificate's. */
  constructor(policy, original, steps = []) {
    this.policy = policy;
    this.original = original;
    const named = [...policy.quasi, ...policy.sensitive], gone = policy.identifiers;
    if (!areAmong([...named, ...gone], original.names) || policy.k > original.rows.length) {
      unreadable("the original lacks a column that the policy names, or has no rows, or fewer than k");
    }
    this.kept = original.names.filter((c) => named.includes(c) || (policy.other === "keep" && !gone.includes(c)));
    this.others = this.kept.filter((column) => !policy.quasi.includes(column));
    this.judged = original.names.filter((column) => policy.models.some((model) => model.judged.includes(column)));
    this.values = policy.quasi.map((column) => ranked(original.cellsOf(column)));
    if (policy.star !== null && this.values.some((values) => values.includes(policy.star))) {
      unreadable("the original already holds the star text");
    }
    this.trees = policy.quasi.map((column, j) => (policy.hierarchies.has(column)
      ? hierarchyOf(policy.hierarchies.get(column), this.values[j], policy) : null));
    const stepOf = (column) => policy.step || steps[policy.ranged.indexOf(column)] || null;
    this.grids = policy.quasi.map((column, j) => (policy.ranged.includes(column)
      ? new Grid(this.values[j], stepOf(column), policy.cost === "ncp") : null));
    if (policy.auto) { // [W6]
      this.trees = this.trees.map((tree, j) => {
        const words = tree || this.grids[j] ? null : proposedFor(policy.quasi[j], this.values[j].filter((value) => value !== null));
        return words === null ? tree : madeHierarchy(words, this.values[j], policy, true);
      });
    }
    if (LOOKING.includes(policy.cost)) { // a column without a hierarchy has its values and the star
      this.trees = this.trees.map((tree, j) => tree || new Hierarchy(
        this.values[j].map((value) => [value === null ? "NULL" : value]), this.values[j],
        { complete: policy.complete, star: policy.star },
      ));
    }
    // a ranged column shows a value, a run or a star [G4]
    this.heights = this.trees.map((tree, j) => (tree ? tree.height : this.grids[j] ? 2 : 1));
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
    this.weights = policy.quasi.map((column) => entryOr(policy.weights, column, ONE));
    // per column and line the costs of its levels [T4]
    const looks = policy.cost === "ncp" || LOOKING.includes(policy.cost);
    const held = policy.quasi.map((column) => (looks ? new Held(policy, column, original) : null));
    // beside stars that are NULL a missing value has a line of its own [T8]
    this.gapped = [...this.values.keys()].filter((j) => policy.star === null && this.values[j].includes(null));
    this.costs = this.trees.map((tree, j) => (tree === null ? [[ZERO, ONE], [ONE, ONE]] : tree.costs(policy.cost, held[j]))
      .map((line) => line.map((cost) => cost.times(this.weights[j]))));
    // by the places of a column's values, what a run ends with and begins with [G3]
    this.paidAt = this.grids.map((grid, j) => (grid ? grid.paid.map((x) => x.times(this.weights[j])) : []));
    const told = [...this.costs.flat(2), ...this.paidAt.flat()];
    this.scale = commonDenominator(told);
    const all = told.reduce(greater).times(new Fraction(BigInt(original.rows.length * policy.quasi.length) * this.scale));
    if (this.scale >= 1n << 62n || !all.below(new Fraction(1n << 62n))) {
      unreadable("the costs have too many digits to be added up");
    }
  }

  /** The line of a value in the costs of its column. */
  line(j, value) {
    return this.trees[j] ? this.trees[j].of.get(value) : Number(value === null && this.gapped.includes(j));
  }

  /** What the original's rows cost as they are, in columns with some trees and with gaps [T4, T8]. */
  unchanged(trees) {
    let sum = ZERO;
    trees.forEach((tree, j) => {
      if (!tree && !this.gapped.includes(j)) return;
      for (const [value, rows] of countsOf(this.original.cellsOf(this.policy.quasi[j]))) {
        sum = sum.plus(this.costs[j][this.line(j, value)][0].times(fraction(rows)));
      }
    });
    return sum;
  }

  /** A cost in the units in which a certificate counts. */
  units(cost) {
    return cost.times(new Fraction(this.scale)).floor();
  }

  /** The run of cells that a released cell shows; null: it is a value, a star, or nothing that is known. */
  run(j, cell) {
    const grid = this.grids[j];
    return grid === null || cell === this.policy.star || grid.numbers.has(cell) ? null : grid.run(cell);
  }

  /** The lowest and highest level that every one of a row's released cells may stand at [R3]. */
  reading(cells) {
    const { star } = this.policy;
    return cells.map((cell, j) => {
      if (star !== null && cell === star) return [this.heights[j], this.heights[j]];
      if (this.run(j, cell)) return [1, 1];
      return this.labelled[j] ? entryOr(this.labelled[j].ends, cell, [0, 0]) : [0, 0];
    });
  }
}

/** What is wrong with a release, and its least and greatest cost (null where it lacks a column). */
function* releasedAsAsked(fitted, released) {
  const { policy, original } = fitted;
  const lost = [...fitted.kept.keys()].filter((j) => !released.names.includes(fitted.kept[j]));
  const found = lost.map((j) => `columns: missing number ${j + 1}`); // [R1]
  if (found.length) return [found, costOf(fitted, released)];
  if (!sameList(released.names, fitted.kept)) found.push("columns: others than those kept, or in another order");
  if (released.rows.length !== original.rows.length) found.push("rows"); // [R2]
  yield "rows and classes";
  const { star } = policy, [kinds, table] = countedLists(original.cells(fitted.judged));
  const number = placesOf(kinds.map(keyOf)), judged = released.cells(fitted.judged), shown = released.cells(policy.quasi);
  // by class: cells, rows, rows by kind (a kind that is not in the table is undefined), and how the cells can be read
  const every = [...parted(shown.keys(), (at) => keyOf(shown[at])).values()].map((rows) => ({
    cells: shown[rows[0]], rows: rows.length, kinds: countsOf(rows.map((at) => number.get(keyOf(judged[at])))),
    reading: fitted.reading(shown[rows[0]]),
  }));
  const asked = policy.outliers === "forbid" ? every : every.filter(({ cells }) => cells.some((cell) => cell !== star));
  if (asked.some(({ rows }) => rows < policy.k)) found.push(`k=${policy.k}`); // [R4]
  for (const model of policy.models) { // [R5]
    const requirement = new Requirement(model, fitted.judged, kinds, table);
    let good = true;
    for (const one of every) { // one that cannot be decided is not passed over
      good = !one.kinds.has(undefined) && requirement.met(one.kinds) && good;
      yield "requirements of classes";
    }
    if (!good) found.push(model.rule);
  }
  if (star !== null) { // [R6]
    const known = new Map();
    let good = true;
    for (const { reading } of every) good = entryOf(known, reading.join(), () => keepsMask(fitted, reading)) && good;
    if (!good) found.push("mask");
    const at = shownAt(fitted, every), rows = released.rows.length;
    if (policy.limit !== null && BigInt(at.suppressed) > policy.limit.times(fraction(rows)).floor()) { // [U2]
      found.push("suppression limit");
    }
    const box = at.low.map((low, j) => [low, at.high[j]]);
    if (policy.single && at.suppressed < rows && !(box.every(([low, high]) => low <= high) && keepsMask(fitted, box))) {
      found.push("recoding"); // [U1]
    }
  }
  yield "values";
  const values = fitted.values.map((some) => new Set(some));
  const held = ({ cells, reading }) => cells.every((cell, j) => cell === star || values[j].has(cell) || reading[j][1] > 0);
  if (!every.every(held)) found.push("invented value"); // [R7]
  let faithful = false;
  try {
    faithful = yield* paired(fitted, released);
  } catch (error) {
    if (!(error instanceof Unreadable) || !found.length) throw error;
  }
  if (!faithful) found.push("faithful"); // [R8]
  return [found, costOf(fitted, released)];
}

/** The fully suppressed rows, and the lowest and highest levels at which all others can be read [U1]. */
function shownAt(fitted, classes) {
  let suppressed = 0, low = fitted.heights.map(() => 0), high = [...fitted.heights];
  for (const { cells, rows } of classes) {
    const ends = fitted.reading(cells);
    if (ends.every(([least], j) => least === fitted.heights[j])) {
      suppressed += rows;
    } else {
      low = low.map((level, j) => Math.max(level, ends[j][0]));
      high = high.map((level, j) => Math.min(level, ends[j][1]));
    }
  }
  return { suppressed, low, high };
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

/** The lowest and the highest levels of a reading. */
const endsOf = (reading) => [0, 1].map((end) => reading.map((levels) => levels[end]));

/** Whether some reading of the cells keeps the mask; the ends are looked at first [R6]. */
const keepsMask = (fitted, reading) => (
  endsOf(reading).some((vector) => fitted.mask.allows(vector)) || !keptReadings(fitted, reading).next().done);

/** What the release costs, least and most [R9]. */
function costOf(fitted, released) {
  const { policy, weights } = fitted;
  if (!areAmong(policy.quasi, released.names)) return null;
  let low = ZERO, high = ZERO;
  if (policy.star === null) { // a star is NULL, and so may be what was missing before
    policy.quasi.forEach((column, j) => {
      const gaps = (table) => table.cellsOf(column).filter((cell) => cell === null).length;
      const before = gaps(fitted.original), after = gaps(released);
      low = low.plus(weights[j].times(fraction(Math.max(after - before, 0))));
      high = high.plus(weights[j].times(fraction(after)));
    });
    return [low, high];
  }
  const [classes, numbers] = countedLists(released.cells(policy.quasi));
  classes.forEach((cells, at) => {
    const lines = cells.map((cell, j) => { // what the column's levels cost of the line that shows the cell
      const tree = fitted.labelled[j], run = fitted.run(j, cell);
      if (run) return [0, 1, 2].map(() => fitted.paidAt[j][run[1] - 1].minus(fitted.paidAt[j][run[0]])); // [G3]
      return tree ? fitted.costs[j][tree.first.get(cell) || 0] : [...new Array(fitted.heights[j]).fill(ZERO), weights[j]];
    });
    const [cheap, dear] = paidBetween(fitted, fitted.reading(cells), lines);
    low = low.plus(cheap.times(fraction(numbers[at])));
    high = high.plus(dear.times(fraction(numbers[at])));
  });
  const own = fitted.unchanged(fitted.labelled);
  return [low.minus(own), high.minus(own)];
}

/** What a row costs, least and most, at readings that keep the mask if there is one. */
function paidBetween(fitted, reading, lines) {
  const sum = (vector) => sumOf(vector.map((level, j) => lines[j][level]).filter((cost) => cost.n));
  const vectors = endsOf(reading), ends = vectors.map(sum);
  if (ends[0].equals(ends[1]) || vectors.every((vector) => fitted.mask.allows(vector))) return ends;
  const costs = [...keptReadings(fitted, reading)].map(sum);
  return costs.length ? [costs.reduce(lesser), costs.reduce(greater)] : ends;
}

/** Whether the mask allows some reading of a row's NULLs [R6]. */
const readable = (fitted, before, after) => keepsMask(fitted,
  after.map((cell, j) => [Number(cell === null && before[j] !== null), Number(cell === null)]));

/** Whether every released row can have an original of its own [R8]. */
function* paired(fitted, released) {
  const { policy, original, others } = fitted, { star } = policy, flows = [];
  const [before, after] = [original, released].map((table) => { // the quasi-identifiers by what passed unchanged
    const unchanged = table.cells(others).map(keyOf), cells = table.cells(policy.quasi);
    return new Map([...parted(cells.keys(), (at) => unchanged[at])].map(([key, rows]) => [key, rows.map((at) => cells[at])]));
  });
  for (const [key, rows] of after) if (!before.has(key) || rows.length > before.get(key).length) return false;
  for (const [key, rows] of before) {
    yield "rows paired with originals";
    const [have, supply] = countedLists(rows), [want, demand] = countedLists(entryOr(after, key, []));
    if (have.length === 1 && want.length === 1 && star !== null && keyOf(have[0]) === keyOf(want[0])) continue; // the same cells
    const patterns = new Map(); // by which cell shows which level (null: nothing), the released kinds
    want.forEach((cells, r) => {
      const runs = [...cells.keys()].filter((j) => fitted.run(j, cells[j])), reading = fitted.reading(cells);
      const levels = cells.map((cell, j) => (cell === star || runs.includes(j) ? null : reading[j][0]));
      entryOf(patterns, `${levels.join()} ${runs.join()}`, () => [levels, [], runs])[1].push(r);
    });
    const fits = want.map(() => []), labels = new Labels(fitted, have);
    for (const [levels, some, runs] of patterns.values()) {
      const shown = [...levels.keys()].filter((j) => levels[j] !== null);
      const keys = labels.keys(shown, levels); // first: it numbers the labels
      const byShown = parted(some, (r) => labels.shown(shown, want[r]));
      for (let o = 0; o < have.length; o += 1) {
        for (const r of byShown.get(keys[o]) || []) {
          if (!runs.every((j) => fitted.grids[j].holds(fitted.run(j, want[r][j]), have[o][j]))) continue; // [G2]
          if (star !== null || readable(fitted, have[o], want[r])) fits[r].push(o);
        }
      }
      yield "rows paired with originals";
    }
    flows.push([supply, demand, fits]);
  }
  for (const flow of flows) {
    if (shortOf(...flow).takers.length) return false;
    yield "rows paired with originals";
  }
  return true;
}
