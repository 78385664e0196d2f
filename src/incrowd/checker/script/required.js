// Version 2: a bound for k and the policy's requirements, its prices, multipliers and tree [V1-V10].

/** y by value from the numbers of a multiplier of a requirement, as BigInt [V8]. */
function takenBy(one, given) {
  const size = one.values.length, { asked } = one, areValues = (some) => some.every((v) => placeOf(v, size) >= 0);
  const hold = (fitting, inRange) => {
    if (!fitting) unreadable("a multiplier has other numbers than its requirement");
    if (!inRange) throw new Refuted();
  };
  if (one.form === "shares") {
    const [valued, mus] = [0, 1].map((odd) => given.filter((_, at) => at % 2 === odd)), [{ shares }] = rulesOf(one);
    hold(valued.length === mus.length && unique(valued) && areValues(valued), mus.every((mu) => mu >= 0n));
    const mean = sumOf(valued.map((v, at) => shares[Number(v)].times(new Fraction(mus[at]))));
    const found = one.values.map(() => -mean.ceiling());
    valued.forEach((v, at) => { found[Number(v)] += mus[at]; });
    return found;
  }
  if (one.form === "recursive") {
    const length = one.least + 1, terms = [];
    for (let at = 0; at < given.length; at += length) terms.push(given.slice(at, at + length));
    const fitting = given.length % length === 0 && terms.every((term) => unique(term.slice(2)) && areValues(term.slice(1)));
    hold(fitting, terms.every(([mu]) => mu >= 0n));
    return one.values.map((_, v) => sumOf(terms.map(([mu, u, ...some]) => {
      const held = (Number(u) === v ? ONE : ZERO).minus(some.includes(BigInt(v)) ? ZERO : asked.get("c"));
      return held.times(new Fraction(mu));
    })).floor());
  }
  if (one.form === "distinct") throw new Refuted();
  const [mu, ...f] = given;
  hold(f.length === size, mu >= 0n && (one.form === "distance" || f.every((share) => share > 0n)));
  if (one.form === "entropy") {
    const all = addedUp(f, 0n);
    return f.map((share) => floorOfLn(mu, asked.get("l").times(new Fraction(share, all))));
  }
  for (let u = 0; u < size; u += 1) {
    for (let v = 0; v < u; v += 1) {
      if (one.metric.apart(u, v).times(new Fraction(mu)).below(new Fraction(absolute(f[u] - f[v])))) throw new Refuted();
    }
  }
  const sum = addedUp(one.totals.map((c, v) => BigInt(c) * f[v]), 0n);
  const mean = new Fraction(sum, BigInt(one.n)).plus(asked.get("t").times(new Fraction(mu)));
  const rest = ZERO.minus(mean).floor();
  return f.map((x) => x + rest);
}

/** The bound of a certificate of version 2, scaled. */
function* provenUnderRequirements(p, certificate) {
  const read = {
    ...partsOf(p, certificate),
    below: Number(whole(certificate, "whole_below", { least: 1n, below: 4097n })),
    given: entries(certificate, "multipliers"),
    trees: entryOr(certificate, "trees", []),
  };
  if (!isList(read.trees) || read.trees.length > 1) unreadable("the certificate: trees is no list of one tree at most");
  p.list();
  return yield* exactly((as, limit) => new Required(p, read, as, limit).value());
}

class Required {
  constructor(p, read, as, limit) {
    const { parts, prices, below } = read;
    Object.assign(this, { p, read, as, limit, k: Math.min(p.k, p.rows + 1) });
    this.top = p.free();
    this.dear = parts * p.dearest;
    this.largest = prices.map(absolute).reduce(larger) + this.dear;
    this.n = BigInt(p.rows);
    fits(2n * this.n * this.largest, limit);
    p.take(as);
    this.small = new Small(p, parts, below, as);
    const steepest = this.small.steepest;
    this.close = this.small.rules.some(({ family }) => family === "equal") ? BigInt(below) * this.n : 0n;
    fits(this.close * (this.largest + steepest), limit);
    this.prices = prices.map(as);
    this.parts = as(parts);
    this.taken = new Map();
    this.known = null;
  }

  /** The bound, scaled: the larger of what root prices and a tree prove. */
  * value() {
    const found = yield* this.listing(false, []);
    let value = yield* this.worth(found, this.prices, new Map());
    for (const tree of this.read.trees) {
      if (!(tree instanceof Map) || tree.get("component") !== 0n) unreadable("the certificate: a tree is not of component 0");
      if (entries(tree, "cuts").length) unreadable("the certificate: under requirements a tree has no cuts");
      this.names = entries(tree, "instances").map((name) => this.name(name));
      if (this.names.includes(null)) throw new Refuted();
      this.every = yield* this.listing(true, this.names);
      const least = yield* leastOf(tree.get("tree"), this.names.map(({ key }) => key), (leaf, state) => this.leaf(leaf, state));
      if (least === Infinity) throw new Refuted();
      value = larger(value, least);
    }
    return roundedUp(value, this.read.parts, this.p.step);
  }

  /** What names an instance: {key, vector, one}; null where the mask allows its levels nowhere. */
  name(name) {
    const [vector, one] = named(this.p, name);
    if (one < 0) unreadable("the certificate: an instance is named by a row type that is not there");
    const there = this.p.isVector(vector) && this.p.allowed(vector);
    return there ? { key: this.p.key(vector, one), vector, one } : null;
  }

  /** Instances by key with vector, row types and need; multipliers of those are read [V8]. */
  * listing(everything, names) {
    const { p, k, as } = this;
    const walk = yield* p.instances(this.prices, this.parts, { need: k, skip: this.top, everything });
    const found = new Map(walk.map((one) => [p.key(one.vector, one.some[0]), one]));
    if (this.top !== null) {
      found.set(p.key(this.top, 0), { vector: this.top, some: [...p.counts.keys()], need: as(1) });
    }
    for (const { key, vector, one } of names) {
      if (!found.has(key)) found.set(key, { vector, some: p.extent(vector, one), need: as(k) });
    }
    this.sizes = rowsOf(p, [...found.values()]);
    fits((this.sizes + this.n) * 2n * this.largest, this.limit);
    this.multipliers(found);
    return found;
  }

  multipliers(found) {
    const { p, as } = this, m = p.heights.length;
    if (this.known === null) {
      this.known = this.read.given.map((entry) => {
        if (!isList(entry) || entry.length < m + 2) {
          unreadable("a multiplier is no list of levels, row type, requirement and numbers");
        }
        numbers(entry, "a multiplier");
        const r = placeOf(entry[m + 1], p.asked.length);
        if (r < 0) unreadable("a multiplier is of no requirement");
        return { name: this.name(entry.slice(0, m + 1)), r, given: entry.slice(m + 2) };
      });
    }
    const own = new Map();
    for (const { name, r, given } of this.known) {
      if (name === null || !found.has(name.key)) continue;
      const multipliers = entryOf(own, name.key, () => new Map());
      if (multipliers.has(r)) unreadable("an instance has two multipliers of one requirement");
      multipliers.set(r, given);
    }
    const asked = BigInt(Math.max(p.asked.length, 1)), most = floorOf(this.limit / this.n - this.largest, asked);
    for (const [key, ys] of own) {
      const taken = p.kinds.map(() => this.p.zero);
      for (const [r, given] of ys) {
        const y = takenBy(p.asked[r], given);
        for (const one of y) fits(absolute(one), most);
        p.asked[r].code.forEach((v, s) => { taken[s] += as(y[v]); });
      }
      this.taken.set(key, taken);
    }
  }

  /** What prices prove where some instances are open (1) or closed (-1), in parts, BigInt or infinite [V3]. */
  * worth(found, prices, state) {
    const { p } = this;
    let value = p.zero;
    for (let i = 0; i < p.t; i += 1) value += prices[i] * p.tally[i];
    for (const [key, { vector, some, need }] of found) {
      yield "classes of instances";
      const cost = this.parts * p.cost(vector, some[0]);
      const most = this.small.most(some, cost, need, prices, state.get(key) || 0, this.taken.get(key));
      if (most === NONE) value = Infinity;
      else if (value !== Infinity) value -= most;
    }
    return value === Infinity ? Infinity : BigInt(value);
  }

  /** What a leaf of the tree is worth, infinite where it holds no release [V9]. */
  * leaf(at, state) {
    if (entries(at, "weights").length) unreadable("the certificate: under requirements a leaf weighs no cut");
    const prices = [...this.read.prices], { limit, dear } = this;
    let most = smaller(limit / (2n * (this.sizes + this.n) + 1n) - dear, floorOf(limit / this.n - dear, 2n));
    if (this.close) most = smaller(most, limit / this.close - dear - this.small.steepest);
    for (const [i, move] of movesOf(at, this.p.t)) {
      fits(absolute(move), LIMIT);
      fits(absolute(prices[i] + move), most);
      prices[i] += move;
    }
    return yield* this.worth(this.every, prices.map(this.as), state);
  }
}
