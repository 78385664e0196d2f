// What a certificate is about: row types with counts, levels with whole costs, the mask, and instances [T1-T7, I1-I6].

const MOST_MEMBERS = 1 << 26; // [I4]

class Problem {
  /**
   * `codes`: a row type's values by rank; `counts`: rows a type; `levels`: per column and level [nodes, costs], two
   * lists over the column's values, costs as BigInt; `mask`; k; outliers; scale (BigInt).
   */
  constructor(codes, counts, levels, mask, k, outliers, scale) {
    this.codes = codes;
    this.counts = counts;
    this.t = codes.length;
    this.k = k;
    this.outliers = outliers;
    this.heights = levels.map((column) => column.length - 1);
    this.mask = mask;
    this.levels = levels;
    this.nodes = levels.map((column, j) => column.map(([nodes]) => Int32Array.from(codes, (code) => nodes[code[j]])));
    const every = levels.flatMap((column) => column.map(([, costs]) => costs));
    this.uniform = every.every((costs) => costs.every((cost) => cost === costs[0]));
    this.step = larger(every.flat().reduce(greatestDivisor, 0n), 1n); // [T5]
    this.dearest = levels.reduce((sum, column) => sum + column.flatMap(([, costs]) => costs).reduce(larger), 0n);
    this.rows = addedUp(counts);
    this.facts = new Map([
      ["rows", BigInt(this.rows)], ["row_types", BigInt(this.t)], ["k", BigInt(k)], ["outliers", outliers], ["scale", scale],
    ]);
    this.grids = []; // of ranged columns: {j, step, ordered, paid, numbers}
    this.kindsMask = null; // beside them the mask, if it says something: {mask, tops}
    this.secret = null; // of version 1 of matching: codes of sensitive columns, a list per type
    this.take(BigInt);
    this.vectors = null;
    this.gapped = []; // columns with gaps [T8]
    this.own = 0n; // what all rows cost as they are
  }

  /** Count from here on with plain numbers or with BigInt (`as`: Number or BigInt). */
  take(as) {
    this.as = as;
    this.zero = as(0);
    this.tally = this.counts.map(as);
    this.paid = this.levels.map((column, j) => column.map(([, costs]) => {
      const taken = costs.map(as);
      return this.codes.map((code) => taken[code[j]]);
    }));
  }

  /** List the allowed level vectors, in lexicographic order, and by their texts [T7]. */
  list() {
    if (vectorsIn(this.heights) > MOST_VECTORS) unreadable("there are too many level vectors to recount");
    if (this.vectors !== null) return;
    const known = new Map(), take = (vector) => known.set(vector.join(), vector), { gapped } = this;
    for (const vector of vectorsUpTo(this.heights)) if (this.mask.allows(vector)) take([...vector]);
    const found = gapped.length ? [...known.values()] : [], alone = this.outliers === "suppress" // NULLs alone are free
      && found.some((vector) => vector.every((level, j) => level > 0 || gapped.includes(j)));
    for (const j of gapped.filter((j) => alone || found.some((vector) => vector[j] > 0))) { // more stars are allowed [T8]
      for (const vector of [...known.values()]) take(vector.map((level, at) => (at === j ? 1 : level)));
    }
    this.named = known;
    this.vectors = [...known.values()].sort((a, b) => byFirst(a, b));
  }

  allowed(vector) {
    return this.named.has(vector.join());
  }

  /** The vector of stars alone, if it is free: allowed, and in need of no crowd [I5]; else null. */
  free() {
    return this.outliers === "suppress" && this.allowed(this.heights) ? this.heights : null;
  }

  /** Whether a list is a level vector at all. */
  isVector(vector) {
    return vector.length === this.heights.length && vector.every((level, j) => level >= 0 && level <= this.heights[j]);
  }

  /** What names an instance, as a text: its levels and what it shows. */
  key(vector, i) {
    return `${vector.join()} ${vector.map((level, j) => this.nodes[j][level][i]).join()}`;
  }

  /** How many rows some row types have. */
  size(types) {
    return types.reduce((sum, i) => sum + this.counts[i], 0);
  }

  /** The lowest levels at which some row types look alike. */
  meeting(some) {
    return this.nodes.map((levels) => levels.findIndex((nodes) => some.every((i) => nodes[i] === nodes[some[0]])));
  }

  /** What a row of a type costs at some levels, scaled [T4]. */
  cost(vector, i) {
    let sum = this.zero;
    for (let j = 0; j < vector.length; j += 1) sum += this.paid[j][vector[j]][i];
    return sum;
  }

  /** The row types that show at some levels what one shows. */
  extent(vector, one) {
    const nodes = vector.map((level, j) => this.nodes[j][level]);
    return [...this.codes.keys()].filter((i) => nodes.every((some) => some[i] === some[one]));
  }

  /**
   * The instances that matter [I1-I3], of `need` rows at least: lists {vector, some (row types), need}; after every
   * vector it gives way. Without `everything` only those that may add something below 0 at the prices.
   */
  * instances(prices, parts, { need, skip, everything }) {
    const { t, counts, as } = this, found = [], above = new Map(), rows = new Map(), count = as(need);
    const dear = prices.reduce(larger), plain = new Float64Array(t);
    // after each column, the types' groups so far as numbers below `width`, and what they cost so far
    const stack = [{ keys: plain, width: 1, costs: this.uniform ? null : new Array(t).fill(this.zero) }];
    const sizes = this.levels.map((column) => Math.max(...column.map(([nodes]) => nodes.reduce(larger, 0))) + 1);
    let before = null, members = 0;
    for (let at = 0; at < this.vectors.length; at += 1) {
      const vector = this.vectors[at];
      let same = 0;
      while (before !== null && same < vector.length && vector[same] === before[same]) same += 1;
      stack.length = same + 1;
      for (let j = same; j < vector.length; j += 1) stack.push(this.finer(stack[j], j, vector[j], sizes[j]));
      before = vector;
      yield `instances of level vector ${at + 1} of ${this.vectors.length}`;
      if (skip !== null && sameList(vector, skip)) continue;
      const { keys, costs } = stack[vector.length], flat = parts * this.cost(vector, 0);
      if (!everything && costs === null && flat >= dear) continue;
      let opens = null;
      if (!everything) {
        opens = new Set();
        for (let i = 0; i < t; i += 1) if (prices[i] > (costs === null ? flat : parts * costs[i])) opens.add(keys[i]);
      }
      const groups = new Map();
      rows.clear();
      for (let i = 0; i < t; i += 1) {
        const key = keys[i];
        if (opens === null || opens.has(key)) addTo(rows, key, counts[i]);
      }
      for (let i = 0; i < t; i += 1) if (rows.get(keys[i]) >= need) entryOf(groups, keys[i], newList).push(i);
      for (const some of groups.values()) {
        const cost = costs === null ? flat : parts * costs[some[0]];
        if (!everything && adds(some, this.tally, cost, count, prices) >= this.zero) continue;
        if (!this.first(vector, some, above)) continue;
        members += some.length;
        if (members > MOST_MEMBERS) unreadable("the table has too many instances to recount");
        found.push({ vector, some, need: count });
      }
    }
    return found;
  }

  /** The types' groups, told apart by one more column at a level. */
  finer({ keys, width, costs }, j, level, size) {
    const nodes = this.nodes[j][level], paid = this.paid[j][level];
    let told = keys, wide = width;
    if (level < this.heights[j]) {
      if (width * size >= 2 ** 52) { // number the groups anew
        const known = new Map();
        keys = keys.map((key) => entryOf(known, key, () => known.size));
        width = known.size;
      }
      told = new Float64Array(this.t);
      for (let i = 0; i < this.t; i += 1) told[i] = keys[i] + width * nodes[i];
      wide = width * size;
    }
    return { keys: told, width: wide, costs: costs === null ? null : costs.map((cost, i) => cost + paid[i]) };
  }

  /** Whether no earlier vector by (cost, stars, order) shows these row types alike [I3]. */
  first(vector, some, known) {
    const joint = this.meeting(some);
    if (sameList(joint, vector)) return true;
    const name = joint.join();
    if (this.named.has(name)) return false;
    let come = known.get(name);
    if (come === undefined || !this.uniform) {
      const key = (v) => [this.cost(v, some[0]), v.filter((level, j) => level === this.heights[j]).length];
      let best = null;
      for (const v of this.vectors) { // in lexicographic order: the first of equals stays
        if (!v.every((level, j) => level >= joint[j])) continue;
        const own = key(v);
        if (best === null || byFirst(own, best) < 0) [best, come] = [own, v];
      }
      known.set(name, come);
    }
    return sameList(come, vector);
  }
}

/**
 * The least that an instance can add to a release's cost less its prices, in parts [P2]: at most 0 unless it is open
 * (state 1), and 0 where it is closed (-1). `cost` is in parts, `extra` a Map by row type.
 */
function adds(some, counts, cost, need, prices, extra = undefined, fixed = undefined, state = 0) {
  const zero = cost - cost;
  if (state < 0) return zero;
  let value = fixed === undefined ? zero : fixed, rows = zero;
  const others = [];
  for (const i of some) {
    let term = cost - prices[i];
    if (extra !== undefined) term += extra.get(i) || zero;
    if (term < zero) {
      value += term * counts[i];
      rows += counts[i];
    } else {
      others.push([term, counts[i]]);
    }
  }
  if (rows < need && (state > 0 || value < zero)) { // filled up with the next smallest
    others.sort((a, b) => byNumber(a[0], b[0]));
    for (const [term, number] of others) {
      const taken = smaller(number, need - rows);
      value += term * taken;
      rows += taken;
      if (rows >= need) break;
    }
  }
  return state > 0 ? value : smaller(value, zero);
}

/** A sum in parts as a scaled cost that a release can have [P3]. */
const roundedUp = (value, parts, step) => ceilingOf(BigInt(value), BigInt(parts) * step) * step;
