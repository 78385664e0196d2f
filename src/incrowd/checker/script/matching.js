// Bounds by prices of rows and odd sets of rows: 2-anonymity and 2-diversity [M1-M6].

const MOST = 1n << 58n; // [M1] no price, nor the sum of the sets' prices, reaches it
const MOST_STEPS = 1 << 24;

class Cheapest {
  /** The least cost that a mask leaves to a group that looks alike from some levels on [M4]. */
  constructor(p) {
    this.p = p;
    this.known = new Map();
    this.steps = 0;
  }

  /** The lowest allowed vectors at or above one. */
  lowest(vector) {
    const key = vector.join();
    if (!this.known.has(key)) {
      this.steps += vector.length ** 2;
      if (this.steps > MOST_STEPS) unreadable("the mask leaves too many level vectors to recount");
      if (this.p.mask.allows(vector)) return [vector];
      this.known.set(key, this.above(vector));
    }
    return this.known.get(key);
  }

  /** The same for a vector that is not allowed. */
  above(vector) {
    const { mask, heights } = this.p, low = mask.raised(vector);
    if (low === null) return mask.allows(heights) ? [heights] : [];
    if (!sameList(low, vector)) return this.lowest(low);
    const ways = new Map();
    vector.forEach((level, j) => {
      if (level === heights[j]) return;
      for (const way of this.lowest(vector.map((x, i) => (i === j ? x + 1 : x)))) ways.set(way.join(), way);
    });
    const every = [...ways.values()], below = (o, w) => o !== w && o.every((level, j) => level <= w[j]);
    return every.filter((w) => !every.some((o) => below(o, w)));
  }

  /** What a row of a group of row types costs at least; null where the mask allows no such group. */
  cost(rows) {
    const costs = this.lowest(this.p.meeting(rows)).map((way) => this.p.cost(way, rows[0]));
    return costs.length ? costs.reduce(smaller) : null;
  }
}

/** The bound of prices of rows and odd sets, scaled; `p.secret` holds sensitive codes per type, or null. */
function* provenByMatching(p, certificate) {
  const { secret } = p, free = secret === null;
  if (free && p.k !== 2) throw new Refuted("k");
  if (!free && secret[0].length !== 1 && secret[0].length !== 2) throw new Refuted("diverse");
  const inner = certificate.get("matching");
  if (!(inner instanceof Map)) unreadable("the certificate lacks the prices of rows");
  const [scale, divisor] = ["scale", "divisor"].map((name) => whole(inner, name, { least: 1n, below: MOST }));
  const who = numbers(inner.get("rows"), "rows").map((i) => placeOf(i, p.t));
  const y = numbers(inner.get("prices"), "prices", who.length, MOST), listed = countsOf(who);
  if (listed.has(-1) || [...listed].some(([i, number]) => number > p.counts[i])) {
    unreadable("the certificate prices rows that the table does not have");
  }
  const { sets, z, ofRow, lift } = oddSets(inner, y);
  const every = p.levels.flatMap((column) => column.flatMap(([, costs]) => costs));
  if (every.some((cost) => cost % divisor)) unreadable("the certificate has a divisor that does not divide the costs");
  const dearest = p.levels.map((column) => column.flatMap(([, costs]) => costs).reduce(larger) / divisor);
  if (scale * addedUp(dearest, 0n) >= MOST) unreadable("the certificate has too fine a scale");
  p.take(BigInt);
  const cheapest = new Cheapest(p);
  if (p.outliers === "suppress" && free && p.mask.allows(p.heights)) { // [M3] single rows of stars alone
    const full = p.levels.reduce((sum, column) => sum + column[column.length - 1][1].reduce(larger), 0n) / divisor;
    if (lift.some((price) => price > scale * full)) throw new Refuted();
  }
  const everyone = [...who];
  for (let i = 0; i < p.t; i += 1) if ((listed.get(i) || 0) < p.counts[i]) everyone.push(i);
  const prices = [...lift, ...new Array(everyone.length - who.length).fill(0n)];

  /** Whether a group's rows cost less than its prices ask for, in all. */
  function tooCheap(rows, asked) {
    if (!free && secret[0].some((_, s) => new Set(rows.map((i) => secret[i][s])).size < rows.length)) return false;
    const cost = cheapest.cost(rows);
    return cost !== null && BigInt(rows.length) * scale * (cost / divisor) < asked;
  }
  /** The sum of the prices of the sets that an odd number of rows are in, or that all of two rows are in. */
  const inBoth = (a, b) => addedUp([...ofRow[a]].filter((s) => ofRow[b] && ofRow[b].has(s)).map((s) => z[s]), 0n);

  // [M5] all pairs with a priced row: first by what they cost at the levels where they meet, before the mask, in plain
  // numbers, too small by no more than their rounding; the few that this leaves open are judged exactly
  const meets = p.levels.map((column) => {
    const size = column[0][0].length;
    return Array.from({ length: size }, (_, u) => Float64Array.from({ length: size }, (__, v) => {
      const [, costs] = column.find(([nodes]) => nodes[u] === nodes[v]);
      return Number(costs[u] / divisor);
    }));
  });
  const factor = Number(2n * scale), rough = prices.map(Number), codes = p.heights.map((_, j) => everyone.map((i) => p.codes[i][j]));
  for (let a = 0; a < who.length; a += 1) {
    if (a % 16 === 0) yield `pairs of rows, ${a} of ${who.length}`;
    const tables = meets.map((table, j) => table[codes[j][a]]);
    for (let b = a + 1; b < everyone.length; b += 1) {
      let cost = 0;
      for (let j = 0; j < tables.length; j += 1) cost += tables[j][codes[j][b]];
      const gives = factor * cost, asks = rough[a] + rough[b];
      if (gives - asks > 1e-9 * (gives + Math.abs(rough[a]) + Math.abs(rough[b]))) continue;
      if (tooCheap([everyone[a], everyone[b]], prices[a] + prices[b] - 2n * inBoth(a, b))) throw new Refuted();
    }
  }
  for (const rows of sets) { // [M6] of triples those inside a set: the others follow from pairs
    for (let a = 0; a < rows.length; a += 1) {
      yield "triples of rows";
      for (let b = a + 1; b < rows.length; b += 1) {
        for (let c = b + 1; c < rows.length; c += 1) {
          const three = [rows[a], rows[b], rows[c]], held = three.map((row) => ofRow[row]);
          let asked = three.reduce((sum, row) => sum + y[row], 0n);
          for (const s of new Set(held.flatMap((some) => [...some]))) {
            if (held.filter((some) => some.has(s)).length % 2) asked += z[s];
          }
          if (asked > 0n && tooCheap(three.map((row) => who[row]), asked)) throw new Refuted();
        }
      }
    }
  }
  return ceilingOf(addedUp([...y, ...z], 0n), scale) * divisor; // [M2]
}

/** The odd sets: their rows, prices, the sets of each row, and what each row is priced with them. */
function oddSets(inner, y) {
  const sets = [], z = [], ofRow = y.map(() => new Set()), lift = [...y];
  for (const entry of entries(inner, "sets")) {
    if (!(entry instanceof Map)) unreadable("a set of the certificate is no object");
    const given = numbers(entry.get("rows"), "rows of a set"), price = whole(entry, "price", { below: MOST });
    const rows = given.map((row) => placeOf(row, y.length));
    if (rows.length % 2 === 0 || rows.includes(-1) || !unique(rows) || price < 0n) {
      unreadable("the certificate has a set that is not odd, of unknown rows, or of a negative price");
    }
    for (const row of rows) {
      ofRow[row].add(sets.length);
      lift[row] += price;
    }
    sets.push(rows.sort(byNumber));
    z.push(price);
  }
  if (addedUp(z, 0n) >= MOST || addedUp(sets.map((rows) => rows.length ** 3)) > 2 ** 36) {
    unreadable("the certificate's sets are too dear, or too large");
  }
  return { sets, z, ofRow, lift };
}
