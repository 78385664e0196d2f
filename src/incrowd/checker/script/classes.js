// What a class of an instance gains at most under requirements: rules, lists of small classes, large ones [V4-V7].

const MUS = [[0n, 1n], [1n, 4n], [1n, 2n], ...[1n, 2n, 4n, 8n, 16n, 32n].map((m) => [m, 1n])];
const FINEST = 1n << 60n; // [V6] a share's denominator is no larger; it is rounded up
const MOST_LISTED = 1 << 15;
const NONE = -Infinity; // what no class at all gains

/** The rules of a requirement: {family, code: value by kind, and shares, least, or totals and t} [V5]. */
function rulesOf(one) {
  one.rules = one.rules || rulesMade(one);
  return one.rules;
}

function rulesMade(one) {
  const { asked, n, code, totals } = one;
  if (one.form === "shares") {
    const limit = one.model.shareLimit(), delta = asked.get("delta");
    const rise = delta ? expRounded(fraction(200).below(delta) ? fraction(200) : delta) : null;
    const shares = totals.map((total) => {
      let share = limit;
      if (asked.has("beta")) {
        let gain = asked.get("beta");
        if (asked.get("enhanced")) {
          const rare = total < n ? lnBetween(fraction(n, total))[1] : ZERO;
          if (rare.below(gain)) gain = rare;
        }
        share = fraction(total, n).times(ONE.plus(gain));
      } else if (asked.has("delta")) {
        share = fraction(total, n).times(rise).times(new Fraction(10n ** 38n + 1n, 10n ** 38n));
      }
      return ONE.below(share) ? ONE : share;
    });
    return [{ family: "shares", code, shares }];
  }
  if (one.form === "distinct") {
    return one.places.map((place) => {
      const [, own] = coded(one.kinds.map((kind) => kind[place]));
      return { family: "distinct", code: own, least: one.least };
    });
  }
  if (one.form !== "distance") return [];
  const { metric } = one, place = metric.steps !== null ? metric.place : [...one.values.keys()]; // one value at one place
  let near = ONE; // no two values are further apart
  for (let v = 0; v < one.values.length; v += 1) {
    for (let u = 0; u < v; u += 1) if (place[u] !== place[v]) near = lesser(near, metric.apart(u, v));
  }
  if (!near.n || !asked.get("t").below(near)) return [];
  const ranks = [...new Set(place)].sort(byNumber);
  const sums = ranks.map((x) => totals.reduce((sum, c, v) => (place[v] === x ? sum + c : sum), 0));
  return [{ family: "equal", code: code.map((v) => ranks.indexOf(place[v])), totals: sums, t: asked.get("t").over(near) }];
}

class Small {
  constructor(p, parts, below, as) {
    Object.assign(this, { p, parts, below, as, n: p.rows });
    const short = (share) => (share.d <= FINEST ? share
      : new Fraction(share.times(new Fraction(FINEST)).ceiling(), FINEST));
    this.rules = p.asked.flatMap(rulesOf)
      .map((rule) => (rule.family === "shares" ? { ...rule, shares: rule.shares.map(short) } : rule));
    const mus = MUS.map(([n, d]) => (n * parts * p.step) / d);
    this.steepest = mus[mus.length - 1];
    this.mus = mus.map((mu) => [as(mu), mu]);
    this.vectors = this.listed();
  }

  /** The vectors of fewer than N0 rows that meet every requirement, where there are few at all; else null [V6]. */
  listed() {
    const most = this.below - 1;
    let vectors = [{ rows: [], sum: 0 }];
    for (const [s, count] of this.p.kindRows.entries()) {
      const more = [...vectors];
      for (const { rows, sum } of vectors) {
        for (let v = 1; v <= Math.min(count, most - sum); v += 1) {
          if (more.length > MOST_LISTED) return null;
          more.push({ rows: [...rows, [s, v]], sum: sum + v });
        }
      }
      vectors = more;
    }
    return vectors.slice(1).filter(({ rows }) => this.p.asked.every((one) => this.mayBe(one, rows)));
  }

  /** Whether a class meets a requirement; one that is not closed under union is asked by its rules [V6]. */
  mayBe(one, rows) {
    if (one.model.name !== "delta-disclosure") return one.met(new Map(rows));
    const [{ shares }] = rulesOf(one);
    const held = new Map();
    let size = 0;
    for (const [s, v] of rows) {
      addTo(held, one.code[s], v);
      size += v;
    }
    return [...held].every(([v, number]) => !shares[v].times(fraction(size)).below(fraction(number)));
  }

  /** V_g: what a class of these row types can gain at most [V3]. `taken` is y by kind, or undefined. */
  most(some, cost, need, prices, state, taken) {
    const { p, as } = this, zero = p.zero;
    if (state < 0) return zero;
    const least = state > 0 ? NONE : zero, below = as(this.below), large = larger(need, below);
    const rows = some.map((i) => [prices[i] - cost, p.tally[i], p.kind[i]]).sort(byGain);
    const total = addedUp(rows.map(([, number]) => number), zero);
    if (total < need) return least;
    const alone = filled(rows, need, zero);
    if (!state && alone <= zero) return zero;
    const many = this.someClass(rows, large, total) ? this.many(rows, large, taken) : NONE;
    let best = larger(least, many);
    if (best < alone) best = larger(best, this.vectors !== null ? this.byList(rows, need) : this.bySize(rows, need, total));
    return smaller(alone, best);
  }

  /** Whether a class of at least so many rows may keep every rule [V7]. */
  someClass(rows, least, total) {
    if (total < least) return false;
    for (const { family, code, shares, totals, t, least: values } of this.rules) {
      const held = new Map();
      for (const [, number, kind] of rows) addTo(held, code[kind], BigInt(number));
      if (family === "distinct" && held.size < values) return false;
      if (family === "shares") {
        let size = BigInt(total);
        while (size >= least) {
          let kept = 0n;
          for (const [v, c] of held) kept += smaller(c, (size * shares[v].n) / shares[v].d);
          if (kept >= size) break;
          size = kept;
        }
        if (size < least) return false;
      }
      if (family === "equal") {
        const n = BigInt(this.n), low = BigInt(least);
        let sum = 0n;
        for (const [v, c] of held) sum += smaller(c * n, BigInt(totals[v]) * low);
        if (new Fraction(sum).below(ONE.minus(t).times(new Fraction(low * n)))) return false;
      }
    }
    return true;
  }

  /** What a class of at least so many rows can gain, its multipliers taken off [V7]. */
  many(rows, least, taken) {
    const zero = this.p.zero;
    if (taken !== undefined) rows = rows.map(([gain, number, kind]) => [gain - taken[kind], number, kind]).sort(byGain);
    let best = filled(rows, least, zero);
    for (const { family, code, least: values } of this.rules) {
      if (family !== "distinct") continue;
      const { firsts, rest, seen } = this.firstOfEach(rows, code, values);
      best = smaller(best, firsts + filled(rest, larger(least - this.as(seen), zero), zero));
    }
    return best;
  }

  /** The best row of each of the best so many values, and what is left of the rows. */
  firstOfEach(rows, code, values) {
    const seen = new Set(), one = this.as(1);
    let firsts = this.p.zero;
    const rest = rows.map(([gain, number, kind]) => {
      const first = seen.size < values && !seen.has(code[kind]);
      if (first) {
        seen.add(code[kind]);
        firsts += gain;
      }
      return [gain, first ? number - one : number, kind];
    });
    return { firsts, rest, seen: seen.size };
  }

  /** The most that a listed class gains [V6]. */
  byList(rows, need) {
    const tops = new Map();
    for (const [gain, number, kind] of rows) {
      const own = entryOf(tops, kind, () => [this.p.zero]);
      for (let left = smaller(number, this.as(this.below - own.length)); left > 0; left -= this.as(1)) {
        own.push(own[own.length - 1] + gain);
      }
    }
    let best = NONE;
    for (const { rows: vector, sum } of this.vectors) {
      if (sum < need) continue;
      let gain = this.p.zero;
      for (const [s, v] of vector) {
        const own = tops.get(s);
        if (own === undefined || own.length <= v) {
          gain = NONE;
          break;
        }
        gain += own[v];
      }
      best = larger(best, gain);
    }
    return best;
  }

  /** What classes of `need` to N0 - 1 rows gain at most, size by size [V6]. */
  bySize(rows, need, total) {
    let best = NONE;
    for (let size = Number(need); size <= Number(smaller(this.as(this.below - 1), total)); size += 1) {
      let worst = bestOf(rows, size, this.as);
      for (const rule of this.rules) {
        if (worst <= best) break;
        worst = smaller(worst, this.ofSize(rows, size, rule));
      }
      best = larger(best, worst);
    }
    return best;
  }

  /** What a class of some rows gains at most by one rule [V6]. */
  ofSize(rows, size, { family, code, shares, totals, t, least }) {
    const { as } = this;
    if (family === "shares") {
      const left = shares.map((share) => as((BigInt(size) * share.n) / share.d));
      return bestOf(rows.map(([gain, number, kind]) => {
        const taken = smaller(number, left[code[kind]]);
        left[code[kind]] -= taken;
        return [gain, taken, kind];
      }), size, as);
    }
    if (family === "distinct") {
      const { firsts, rest, seen } = this.firstOfEach(rows, code, least);
      if (seen !== least || least > size) return NONE;
      const others = bestOf(rest, size - least, as);
      return others === NONE ? NONE : firsts + others;
    }
    const n = as(this.n), ofValue = new Map(), zero = this.p.zero;
    for (const [gain, number, kind] of rows) {
      const own = entryOf(ofValue, code[kind], newList);
      for (let left = smaller(number, as(size - own.length)); left > 0; left -= as(1)) own.push(gain);
    }
    let best = Infinity;
    for (const [mu, exactMu] of this.mus) {
      const terms = [];
      for (const [v, own] of ofValue) {
        const mean = as(totals[v]) * as(size);
        own.forEach((gain, at) => terms.push(gain * n - mu * smaller(larger(as(at + 1) * n - mean, zero), n)));
      }
      terms.sort((a, b) => byNumber(b, a));
      const fixed = t.times(new Fraction(exactMu * BigInt(this.n) * BigInt(size))).ceiling();
      const sum = addedUp(terms.slice(0, size), zero);
      best = smaller(best, as(ceilingOf(BigInt(sum) + fixed, BigInt(this.n))));
    }
    return best;
  }
}

/** Rows [gain, number, kind] by falling gain (then number, then kind). */
const byGain = (a, b) => byNumber(b[0], a[0]) || byNumber(b[1], a[1]) || byNumber(b[2], a[2]);

/** All positive gains, filled up to some rows with the next ones; the gains fall. */
function filled(rows, least, zero) {
  let value = zero, held = zero;
  for (const [gain, number] of rows) {
    let taken = number;
    if (gain <= 0) {
      if (held >= least) break;
      taken = smaller(number, least - held);
    }
    value += gain * taken;
    held += taken;
  }
  return value;
}

/** The sum of the best so many gains; NONE where there are fewer rows. */
function bestOf(rows, size, as) {
  let value = as(0), left = as(size);
  for (const [gain, number] of rows) {
    if (left <= 0) break;
    const taken = smaller(number, left);
    value += gain * taken;
    left -= taken;
  }
  return left <= 0 ? value : NONE;
}
