// Bounds by prices, over components and over the whole lattice, with trees and cuts [P, K, L, B, C].

/** In how many parts a certificate counts a unit, and its price of every row type. */
const partsOf = (p, certificate) => ({
  parts: whole(certificate, "parts", { least: 1n }), prices: numbers(certificate.get("prices"), "prices", p.t),
});

/** The bound of a certificate of version 1, scaled. */
function* provenByPrices(p, certificate) {
  const read = { ...partsOf(p, certificate), label: entryOr(certificate, "components", null) };
  if (read.label !== null) {
    numbers(read.label, "components", p.t);
    const named = new Set(read.label);
    if (![...named].every((c) => c >= 0n && c < BigInt(named.size))) {
      unreadable("the certificate: components are not numbered from 0 on");
    }
    read.label = read.label.map(Number);
  }
  read.trees = entries(certificate, "trees");
  p.list();
  return yield* exactly((as, limit) => priced(p, read, as, limit));
}

function* priced(p, read, as, limit) {
  const largest = larger(read.prices.map(absolute).reduce(larger), read.parts * p.dearest), rows = BigInt(p.rows);
  fits(rows * largest * 2n, limit);
  const prices = read.prices.map(as), parts = as(read.parts), { label, trees } = read, top = p.free();
  p.take(as);
  let found = yield* p.instances(prices, parts, { need: p.k, skip: top, everything: label !== null });
  fits((rowsOf(p, found) + rows) * largest * 2n, limit);
  const every = [...p.counts.keys()];
  if (top !== null) found.push({ vector: top, some: every, need: p.zero });
  const least = ({ vector, need }, own) => adds(own, p.tally, parts * p.cost(vector, own[0]), need, prices);
  if (label === null) {
    let value = p.zero;
    for (let i = 0; i < p.t; i += 1) value += prices[i] * p.tally[i];
    for (const one of found) value += least(one, one.some);
    value = BigInt(value);
    if (trees.length) value = larger(value, yield* latticeCuts(p, trees, found, top, read));
    return roundedUp(value, parts, p.step);
  }
  // [K2] the last instance of all row types is the hub, which is taken to need no rows
  const hub = found.map(({ some }) => some.length === p.t).lastIndexOf(true);
  found = found.map((one, g) => (g === hub ? { ...one, need: p.zero } : one));
  if (found.some(({ need, some }) => need > p.zero && some.some((i) => label[i] !== label[some[0]]))) throw new Refuted(); // [K1]
  const size = label.reduce(larger) + 1;
  const values = new Array(size).fill(p.zero), inside = Array.from({ length: size }, () => []);
  prices.forEach((price, i) => { values[label[i]] += price * p.tally[i]; });
  for (const one of found) {
    for (const [c, own] of parted(one.some, (i) => label[i])) {
      values[c] += least(one, own);
      inside[c].push({ ...one, some: own });
    }
  }
  const proven = values.map(BigInt), seen = new Set();
  for (const tree of trees) {
    if (!(tree instanceof Map)) unreadable("the certificate: a tree is no object");
    const c = placeOf(whole(tree, "component"), size);
    if (c < 0 || seen.has(c)) unreadable("the certificate: a tree of no or of a known component");
    seen.add(c);
    const types = every.filter((i) => label[i] === c);
    proven[c] = larger(proven[c], yield* new Component(p, types, inside[c], read).value(tree));
  }
  return proven.reduce((sum, value) => sum + roundedUp(value, parts, p.step), 0n); // [K3]
}

/** The rows of instances, each counted with all its types. */
const rowsOf = (p, found) => BigInt(addedUp(found.map(({ some }) => p.size(some))));

/** What one leaf of cuts proves without components, in parts [L1-L3]. */
function* latticeCuts(p, trees, found, top, read) {
  const tree = trees[0], component = tree instanceof Map ? tree.get("component") : null;
  if (trees.length !== 1 || component !== 0n) {
    unreadable("the certificate: without components there is one tree at most, of component 0");
  }
  const leaf = tree.get("tree"), moves = leaf instanceof Map ? leaf.get("prices") : null;
  if (!isList(moves) || moves.length || leaf.has("instance")) {
    unreadable("the certificate: without components the tree is one leaf that moves no price");
  }
  const have = new Set(found.map(({ vector, some }) => `${vector.join()} ${some[0]}`)), all = [...found];
  for (const name of entries(tree, "instances")) {
    const [vector, one] = named(p, name, true);
    const starred = top !== null && vector.join() === top.join();
    if (!p.isVector(vector) || !p.allowed(vector) || starred || one < 0) throw new Refuted();
    const extent = p.extent(vector, one), key = `${vector.join()} ${extent[0]}`;
    if (!have.has(key)) {
      have.add(key);
      all.push({ vector, some: extent, need: p.as(p.k) });
    }
  }
  return yield* new Component(p, [...p.counts.keys()], all, read).value(tree);
}

/** The levels and the row type (-1: none of the table) by which a certificate names an instance [I6]. */
function named(p, name, ofAnyLength = false) {
  const size = p.heights.length + 1;
  if (!isList(name) || !name.length || !name.every(isWhole) || (!ofAnyLength && name.length !== size)) {
    unreadable("the certificate: an instance is not named by its levels and a row type");
  }
  return [name.slice(0, -1).map((level) => placeOf(level, 1 << 20)), placeOf(name[name.length - 1], p.t)];
}

/** The instance that a tree lists at a place. */
function instanceAt(names, value) {
  const place = placeOf(value, names.length);
  return place < 0 ? unreadable("the certificate: an instance that the tree does not list") : names[place];
}

/** What a node of a tree is worth: a leaf by instances that are open (1) or closed (-1), others the lesser side [B2]. */
function* leastOf(node, names, leafWorth, state = new Map(), depth = 0) {
  if (!(node instanceof Map) || depth > 400) unreadable("the certificate: a tree's node is no object, or too deep");
  if (!node.has("instance")) return yield* leafWorth(node, state);
  const g = instanceAt(names, node.get("instance"));
  if (state.has(g)) unreadable("the certificate: a tree branches twice on an instance");
  const closed = yield* leastOf(node.get("closed"), names, leafWorth, new Map(state).set(g, -1), depth + 1);
  const open = yield* leastOf(node.get("open"), names, leafWorth, new Map(state).set(g, 1), depth + 1);
  return smaller(closed, open);
}

/** Places below a size, each with a number, that a leaf lists. */
const placedIn = (leaf, name, size, wrong) => [...pairsOf(leaf, name)].map(([value, number]) => {
  const place = placeOf(value, size);
  return place < 0 ? unreadable(`the certificate: a leaf ${wrong}`) : [place, number];
});

/** By how much a leaf moves the prices of which row types. */
const movesOf = (leaf, size) => placedIn(leaf, "prices", size, "moves the price of no row type");

class Component {
  /** The row types and instances of one component, its tree and its cuts [B1-B4, C1-C4]. */
  constructor(p, types, found, { parts, prices }) {
    this.p = p;
    this.types = types;
    this.found = found;
    this.k = BigInt(p.k);
    this.own = new Set(types);
    this.prices = new Map(types.map((i) => [i, prices[i]]));
    this.costs = found.map(({ vector, some }) => parts * BigInt(p.cost(vector, some[0])));
    this.needs = found.map(({ need }) => BigInt(need));
    this.byName = new Map();
    found.forEach(({ vector, some }, g) => { if (this.needs[g] > 0n) this.byName.set(p.key(vector, some[0]), g); });
    this.sizes = rowsOf(p, found) + this.rows(types);
  }

  /** The rows of some types. */
  rows(types) {
    return BigInt(this.p.size(types));
  }

  /** What the tree proves, in parts. */
  * value(tree) {
    this.names = entries(tree, "instances").map((name) => this.instance(name));
    this.cuts = entries(tree, "cuts").map((cut) => this.cut(cut));
    return yield* leastOf(tree.get("tree"), this.names, (leaf, state) => this.leaf(leaf, state));
  }

  /** The number of an instance that is named. */
  instance(name) {
    const [vector, one] = named(this.p, name);
    if (!this.own.has(one) || !this.p.isVector(vector)) throw new Refuted();
    const g = this.byName.get(this.p.key(vector, one));
    if (g === undefined) throw new Refuted();
    return g;
  }

  /** The instances of a cut, each once. */
  chosen(cut, name = "instances") {
    const found = entries(cut, name).map((value) => instanceAt(this.names, value));
    return unique(found) ? found : unreadable("the certificate: a cut names an instance twice");
  }

  /** The row types of a cut, each once. */
  listed(cut) {
    const found = entries(cut, "types").map((value) => placeOf(value, this.p.t));
    if (!found.every((i) => this.own.has(i)) || !unique(found)) {
      unreadable("the certificate: a cut names a row type twice, or one outside its component");
    }
    return found;
  }

  /** {divisor, side, opens: coefficient by instance, pairs: coefficients by instance and row type, steepest}. */
  cut(cut) {
    const kind = cut instanceof Map ? cut.get("kind") : null, make = { C: "atMostOne", T: "rest", S: "three", F: "full" };
    if (!isText(kind) || !Object.hasOwn(make, kind)) unreadable("the certificate: a cut is none of T, C, S, F");
    const { divisor, side, opens, pairs } = this[make[kind]](cut);
    return { divisor, side, opens, pairs, steepest: [...opens.values()].map(absolute).reduce(larger, 1n) };
  }

  /** [C1] No two of the instances have 2 k rows together: at most one is open. */
  atMostOne(cut) {
    const chosen = this.chosen(cut);
    chosen.forEach((g, a) => chosen.slice(0, a).forEach((h) => {
      if (this.rows([...new Set([...this.found[g].some, ...this.found[h].some])]) >= 2n * this.k) throw new Refuted();
    }));
    return { divisor: 1n, side: 1n, opens: new Map(chosen.map((g) => [g, 1n])), pairs: [] };
  }

  /** [C2] Rows that are no multiple of k leave some over. */
  rest(cut) {
    const types = this.listed(cut), rows = this.rows(types), left = rows % this.k;
    if (left === 0n) throw new Refuted();
    const chosen = this.chosen(cut), inside = new Set(types);
    const pairs = chosen.flatMap((g) => this.found[g].some.filter((i) => !inside.has(i)).map((i) => [g, i, -1n]));
    return { divisor: this.k - left, side: rows / this.k, opens: new Map(chosen.map((g) => [g, 1n])), pairs };
  }

  /** [C3] Of three rows two meet in one class at most. */
  three(cut) {
    const types = this.listed(cut), opens = new Map(), pairs = [];
    if (types.length !== 3 || types.some((i) => this.p.counts[i] !== 1)) throw new Refuted();
    for (const [place, first, second] of pairsOf(cut, "pairs", 3)) {
      const g = instanceAt(this.names, place), a = placeOf(first, this.p.t), b = placeOf(second, this.p.t), { some } = this.found[g];
      if (a === b || !types.includes(a) || !types.includes(b) || opens.has(g) || !some.includes(a) || !some.includes(b)) {
        throw new Refuted();
      }
      opens.set(g, -1n);
      pairs.push([g, a, 1n], [g, b, 1n]);
    }
    return { divisor: 1n, side: 1n, opens, pairs };
  }

  /** [C4] Where full instances take k rows each of some types, few are left for the others. */
  full(cut) {
    const inside = new Set(this.listed(cut)), part = this.chosen(cut, "part"), full = this.chosen(cut, "full");
    const all = BigInt(full.length), left = this.rows([...inside]) - this.k * all;
    if (left < 0n || part.some((g) => full.includes(g)) || [...part, ...full].some((g) => this.needs[g] !== this.k)) {
      throw new Refuted();
    }
    const within = (g) => this.found[g].some.filter((i) => inside.has(i));
    const over = part.reduce((sum, g) => sum + larger(this.rows(within(g)) - left, 0n), 0n), weight = smaller(this.k, over);
    const pairs = part.flatMap((g) => within(g).map((i) => [g, i, 1n]));
    for (const g of full) for (const i of this.found[g].some) if (!inside.has(i)) pairs.push([g, i, -1n]);
    const opens = new Map([...part.map((g) => [g, -left]), ...full.map((g) => [g, weight])]);
    return { divisor: 1n, side: weight * all, opens, pairs };
  }

  /** What prices, moved as a leaf says, and weighed cuts prove, in parts [B3, B4]. */
  * leaf(leaf, state) {
    yield "leaves of trees";
    const moves = movesOf(leaf, this.types.length);
    const weights = placedIn(leaf, "weights", this.cuts.length, "weighs a cut that is not there");
    const weighed = addedUp(weights.map(([c, weight]) => absolute(weight) * this.cuts[c].steepest), 0n);
    const largest = [...this.prices.values()].map(absolute).reduce(larger, 0n) + weighed + this.costs.reduce(larger, 0n)
      + addedUp(moves.map(([, move]) => absolute(move)), 0n);
    const all = (largest * this.sizes + weighed * (BigInt(this.found.length) + this.k)) * 4n;
    fits(all, LIMIT);
    const prices = new Map(this.prices), extra = new Map(), fixed = new Map();
    let value = 0n;
    for (const [i, move] of moves) addTo(prices, this.types[i], move);
    for (const [c, weight] of weights) {
      const { divisor, side, opens, pairs } = this.cuts[c];
      if (weight < 0n || weight % divisor) throw new Refuted();
      value -= weight * side;
      for (const [g, coefficient] of opens) addTo(fixed, g, weight * coefficient);
      for (const [g, i, coefficient] of pairs) {
        addTo(entryOf(extra, g, () => new Map()), i, (weight / divisor) * coefficient);
      }
    }
    const as = all < SAFE ? Number : BigInt, zero = as(0), counts = as === this.p.as ? this.p.tally : this.p.counts.map(as);
    const taken = [];
    for (const [i, price] of prices) {
      value += price * BigInt(this.p.counts[i]);
      taken[i] = as(price);
    }
    let sum = zero;
    this.found.forEach(({ some }, g) => {
      const more = extra.has(g) ? new Map([...extra.get(g)].map(([i, x]) => [i, as(x)])) : undefined;
      sum += adds(some, counts, as(this.costs[g]), as(this.needs[g]), taken, more, as(fixed.get(g) || 0n), state.get(g) || 0);
    });
    return value + BigInt(sum);
  }
}
