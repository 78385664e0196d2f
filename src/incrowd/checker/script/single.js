// One recoding for the whole table: the lattice of level vectors walked again [U1-U5].

const MOST_LOOKED = 2 ** 36; // types looked at, over all stands of the walk

/** The bound of one recoding, scaled; the vector of the certificate has to be the release's [U5]. */
function* provenByWalk(p, certificate) {
  const told = numbers(certificate.get("levels"), "levels", p.heights.length);
  const claimed = whole(certificate, "suppressed_rows", { least: 0n });
  const levels = told.map((level, j) => placeOf(level, p.heights[j] + 1));
  const known = levels.every((level) => level >= 0) && p.mask.allows(levels);
  return yield* exactly(function* counted(as, limit) {
    fits(BigInt(p.rows) * larger(p.dearest, 1n) * 2n, limit);
    p.take(as);
    const walk = new Walk(p), own = known ? walk.release(levels) : null, at = p.ofRelease;
    const shown = at === null || levels.every((level, j) => at.low[j] <= level && level <= at.high[j]);
    if (own === null || BigInt(own.cost) !== certificate.get("cost") || !shown) throw new Refuted("levels");
    if (BigInt(own.suppressed) !== claimed || (at !== null && BigInt(at.suppressed) !== claimed)) {
      throw new Refuted("suppressed_rows");
    }
    return BigInt(yield* walk.least(as(certificate.get("lower_bound"))));
  });
}

class Walk {
  /** The lattice, column by column; the columns to come are at their top so far. */
  constructor(p) {
    this.p = p;
    this.steps = 0;
    this.full = p.as(p.levels.reduce((sum, column) => sum + column[column.length - 1][1].reduce(larger, 0n), 0n));
    this.starred = p.mask.allows(p.heights);
    this.most = Number(p.facts.get("most_suppressed"));
  }

  /** Cost and suppressed rows of a vector's release; null if it has none [U1]. */
  release(vector) {
    let groups = [[...this.p.codes.keys()]];
    vector.forEach((level, j) => { groups = this.finer(groups, j, level); });
    return this.judged(vector, groups);
  }

  /** The least cost of a release under one vector, or the bound if that is not more [U4]. */
  * least(bound) {
    const everything = [[...this.p.codes.keys()]];
    this.best = bound;
    if (this.starred) this.stand(this.p.heights, everything);
    yield* this.walk([], everything);
    return this.best;
  }

  /** Look at all vectors that begin with some levels. */
  * walk(begun, groups) {
    const { p } = this, j = begun.length;
    if (j === p.heights.length) {
      yield "level vectors of the whole table";
      if (!this.isTop(begun) && p.mask.allows(begun)) this.stand(begun, groups);
      return;
    }
    for (let level = 0; level <= p.heights[j]; level += 1) {
      const here = [...begun, level];
      if (p.mask.raised([...here, ...p.heights.slice(j + 1).map(() => 0)]) === null) continue; // [M4]
      const now = this.finer(groups, j, level), out = p.rows - this.size(now);
      if (out && (!this.starred || out > this.most)) continue;
      if (this.paid(here, now) + p.as(out) * this.full < this.best) yield* this.walk(here, now);
    }
  }

  isTop(vector) {
    return sameList(vector, this.p.heights);
  }

  size(groups) {
    return addedUp(groups.map((group) => this.p.size(group)));
  }

  /** The classes of k rows or more when one more column is told at a level [U3]. */
  finer(groups, j, level) {
    for (const group of groups) this.steps += group.length;
    if (this.steps > MOST_LOOKED) unreadable("the lattice is too large to be walked");
    if (level === this.p.heights[j]) return groups;
    const { p } = this, nodes = p.nodes[j][level];
    return groups.flatMap((group) => [...parted(group, (i) => nodes[i]).values()].filter((part) => p.size(part) >= p.k));
  }

  /** What the rows of some classes cost in the first columns. */
  paid(levels, groups) {
    const { p } = this;
    let total = p.zero;
    levels.forEach((level, j) => {
      const paid = p.paid[j][level];
      for (const group of groups) for (const i of group) total += paid[i] * p.tally[i];
    });
    return total;
  }

  /** Compare a vector's release with the best so far. */
  stand(vector, groups) {
    const found = this.judged(vector, groups);
    if (found !== null) this.best = smaller(this.best, found.cost);
  }

  /** Cost and suppressed rows of the release that shows some classes, but those that fail a model [U2]; null: none. */
  judged(vector, groups) {
    const { p } = this, starred = this.isTop(vector) && p.heights.some((top) => top > 0);
    const good = groups.filter((group) => this.met(group));
    if (starred && good.length < groups.length) return null;
    const out = p.rows - this.size(good), suppressed = starred ? p.rows : out;
    if (suppressed > this.most || (out && !this.starred)) return null;
    if (out > 0 && out < p.k && p.outliers === "forbid") return null;
    if (out && p.asked.length) {
      const shown = new Set(good.flat());
      if (!this.met([...p.codes.keys()].filter((i) => !shown.has(i)))) return null;
    }
    return { cost: this.paid(vector, good) + p.as(out) * this.full, suppressed };
  }

  /** Whether a class meets every model. */
  met(group) {
    const { p } = this, counted = new Map();
    if (!p.asked.length) return true;
    for (const i of group) addTo(counted, p.kind[i], p.counts[i]);
    return p.asked.every((asked) => asked.met(counted));
  }
}
