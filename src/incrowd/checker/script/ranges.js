// Ranges on a grid: how a label is read, and the bound over all runs of cells [G1-G5].

const RANGED_NUMBER = /^[+-]?[0-9]{1,15}(?:\.([0-9]{1,9}))?$/;
const A_DAY = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const AN_END = "-?(?:0|[1-9][0-9]{0,15})(?:\\.[0-9]{1,9})?|[0-9]{4}-[0-9]{2}-[0-9]{2}";
const A_RUN = new RegExp(`^(?:< (${AN_END})|>= (${AN_END})|(${AN_END})(-| to )(${AN_END}))$`);
const MOST_GRIDS = 1000; // [G1]
const MOST_UNITS = 1n << 60n; // [G5]
const MOST_KINDS = 1 << 20; // [G4]

/** The day of a date, 0001-01-01 being 1; null where there is no such day. */
function dayOf(text) {
  const [year, month, day] = A_DAY.exec(text).slice(1).map(Number);
  if (!isDay(year, month, day)) return null;
  const before = year - 1, leaps = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  return fraction(before * 365 + leaps + addedUp(monthsOf(year).slice(0, month - 1)) + day);
}

class Grid {
  /** A column of numbers or dates that may show runs of cells of a grid; `step` null: of one unit; `wide`: ncp [G1-G3]. */
  constructor(values, step, wide) {
    if (values.includes(null)) unreadable("a column for ranges has missing values");
    this.dated = values.every((value) => A_DAY.test(value));
    if (this.dated && wide) unreadable("a column of dates has no width under this cost");
    const found = values.map((value) => RANGED_NUMBER.exec(value));
    if (!this.dated && found.includes(null)) unreadable("a column for ranges holds what is no number and no date");
    this.unit = this.dated ? ONE : decimal(1n, -found.map((match) => (match[1] || "").length).reduce(larger));
    this.numbers = new Map(values.map((value) => [value, this.number(value)]));
    if ([...this.numbers.values()].includes(null)) unreadable("a column for ranges holds a date that there is not");
    this.step = step || this.unit;
    this.sorted = [...this.numbers.values()].sort((a, b) => a.compare(b));
    if (this.sorted[0].equals(this.sorted[this.sorted.length - 1])) unreadable("a column for ranges holds one number only");
    const least = this.sorted[0], last = this.sorted.length - 1, width = this.sorted[last].minus(least);
    // a run costs, before the weight, what stands at its last place less what stands at its first
    this.paid = this.sorted.map((x, i) => (wide ? x.minus(least).over(width) : fraction(i, last)));
    this.places = new Map([...this.numbers].map(([value, number]) => [value, this.below(number)]));
    this.known = new Map();
  }

  /** The number that a value or an end of a label writes; null: it is none of this column's kind. */
  number(text) {
    if (A_DAY.test(text) !== this.dated) return null;
    return this.dated ? dayOf(text) : fractionOf(text);
  }

  /** How many values lie below a number. */
  below(number) {
    let low = 0, high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle].below(number)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The values of a run as places [first, behind its last] in their order; null: it is no run. */
  run(cell) {
    return entryOf(this.known, cell, () => (cell === null ? null : this.runOf(cell)));
  }

  runOf(label) {
    const match = A_RUN.exec(label);
    if (match === null || (match[4] === "-" && (this.dated || match[3].startsWith("-")))) return null;
    const ends = [match[1], match[2], match[3], match[5]].map((text) => (text === undefined ? undefined : this.number(text)));
    if (ends.includes(null)) return null;
    let [below, least] = ends;
    const [, , a, b] = ends;
    if (match[4] !== undefined) {
      const unit = decimal(1n, -Math.max(...[match[3], match[5]].map((text) => (cutAt(text, ".")[1] || "").length)));
      if (b.below(a)) return null;
      [least, below] = [a, b.plus(lesser(unit, this.unit))];
    }
    if ([below, least].some((end) => end !== undefined && !end.over(this.step).whole)) return null;
    const all = this.sorted.length, first = least === undefined ? 0 : this.below(least);
    const last = below === undefined ? all : this.below(below);
    const inside = first < last && (least === undefined) === (first === 0) && (below === undefined) === (last === all);
    return inside ? [first, last] : null;
  }

  /** Whether a value of the column lies in a run. */
  holds([first, last], value) {
    const place = this.places.get(value);
    return first <= place && place < last;
  }
}

/** The steps that a certificate of ranges says, one for every ranged column [G1]. */
function stepsOf(certificate) {
  const { form } = kindOf(certificate);
  const said = form > 1n ? entries(certificate, "steps") : [certificate.get("step")];
  if (!said.length || said.length > MOST_GRIDS) unreadable("the certificate: steps are none, or too many");
  return said.map((one) => {
    const [a, b] = numbers(one, "step", 2);
    return a < 1n || b < 1n ? unreadable("the certificate: step is no pair of whole numbers above 0") : new Fraction(a, b);
  });
}

/** Which of a certificate's ranged columns and steps are not those of the table and the policy [G1]. */
function unlikeGrids(p, certificate) {
  const one = kindOf(certificate).form === 1n, wrong = [];
  const said = one ? [whole(certificate, "column")] : numbers(certificate.get("columns"), "columns", p.grids.length);
  if (one !== (p.grids.length === 1)) unreadable("the certificate: its version is for another number of ranged columns");
  if (said.length !== p.grids.length || !p.grids.every(({ j }, at) => said[at] === BigInt(j))) {
    wrong.push(one ? "column" : "columns");
  }
  const steps = stepsOf(certificate), same = steps.length === p.grids.length;
  if (!same || !p.grids.every(({ step }, at) => step.equals(steps[at]))) wrong.push(one ? "step" : "steps");
  return wrong;
}

/** The bound over all runs of cells of the ranged columns, scaled [G5]. */
function* provenByRuns(p, certificate) {
  const { parts, prices } = partsOf(p, certificate);
  const ranged = p.grids.map(({ j }) => j), others = p.levels.filter((_, j) => !ranged.includes(j));
  if (vectorsIn(others.map((column) => column.length - 1)) > MOST_VECTORS) {
    unreadable("there are too many level vectors to recount");
  }
  const fall = ([, high], at, column) => at > 0 && high.some((cost, v) => cost < column[at - 1][1][v]);
  if (others.some((column) => column.some(fall))) {
    unreadable("the costs of a column fall with its level, which a proof of ranges does not allow");
  }
  const largest = prices.map(absolute).reduce(larger, parts * p.dearest), sums = 4n * BigInt(p.rows) * largest;
  if (sums >= MOST_UNITS) unreadable("the certificate's numbers are too large to be added up");
  const rows = p.counts.map(BigInt), runs = new Runs(p, parts, prices, sums < SAFE ? Number : BigInt);
  const step = [...runs.ends(), ...others.flat().flatMap(([, costs]) => costs)];
  let total = 0n;
  prices.forEach((price, i) => {
    total += price * rows[i];
    if (p.outliers === "suppress" && runs.starred) total += rows[i] * smaller(0n, parts * p.dearest - price);
  });
  total += yield* runs.below();
  return roundedUp(total, parts, larger(step.reduce(greatestDivisor, 0n), 1n));
}

class Runs {
  /**
   * All counting instances of levels and runs, column by column, with what each can add below 0 [G4]. A set of types
   * adds nothing, and neither does any part of it, if it has fewer than k rows or costs so far what the dearest of its
   * prices is. `as`: Number or BigInt, in which one instance is added up.
   */
  constructor(p, parts, prices, as) {
    p.take(as);
    [this.p, this.as, this.parts, this.prices] = [p, as, as(parts), prices.map(as)];
    this.need = as(p.k);
    // which kinds the mask leaves: levels, and of ranged columns 0 (value), 1 (run) or 2 (all cells, the star)
    this.mask = p.kindsMask;
    this.starred = this.mask === null || this.mask.mask.allows(this.mask.tops);
    this.left = new Map();
    if (this.mask !== null && vectorsIn(this.mask.tops) > MOST_KINDS) {
      unreadable("there are too many level vectors to recount under a mask");
    }
    const ranged = p.grids.map(({ j }) => j);
    this.order = [...[...p.levels.keys()].filter((j) => !ranged.includes(j)), ...ranged]; // the ranged columns last
    this.grids = new Map(p.grids.map(({ j, step, ordered, paid, numbers: values }) => {
      const cellOf = (number) => number.over(step).floor(), places = ordered.map(cellOf), rank = new Map();
      const begins = [], endsAt = []; // what a run that begins, or ends, with a cell is paid from, and to
      places.forEach((place, at) => {
        if (!rank.has(place)) {
          rank.set(place, begins.length);
          begins.push(as(paid[at]));
        }
        endsAt[rank.get(place)] = as(paid[at]);
      });
      return [j, { cells: values.map((value) => rank.get(cellOf(value))), begins, endsAt }];
    }));
  }

  /** The numbers of which every run's cost is a difference. */
  ends() {
    return [...this.grids.values()].flatMap(({ begins, endsAt }) => [...begins, ...endsAt].map(BigInt));
  }

  /** The sum of what all instances add below 0, in parts. */
  * below() {
    const { p } = this, all = [...p.codes.keys()], found = yield* this.add(all, 0, this.as(0), []);
    if (this.mask === null || !this.starred || p.outliers === "suppress") return found;
    // stars alone, whatever else these rows could show
    const stars = BigInt(adds(all, p.tally, this.parts * this.as(p.dearest), this.need, this.prices));
    return found + smaller(0n, stars);
  }

  /** Whether the mask allows something at or above some kinds that is not stars alone [G4]. */
  leaves(kinds) {
    const { mask, tops } = this.mask;
    return entryOf(this.left, kinds.join(), () => kinds.some((kind, j) => kind < tops[j]) && (mask.allows(kinds)
      || kinds.some((kind, j) => kind < tops[j] && this.leaves(kinds.map((own, i) => (i === j ? own + 1 : own))))));
  }

  /** The same for the instances that show, of the columns so far, what is said, and cost so much by it. */
  * add(some, at, base, shown) {
    const { p } = this;
    let rows = 0, dearest = this.prices[some[0]], total = 0n;
    for (const i of some) {
      rows += p.counts[i];
      if (this.prices[i] > dearest) dearest = this.prices[i];
    }
    if (base >= dearest || rows < p.k) return 0n;
    if (at === this.order.length) {
      yield "ranges on the grid";
      return this.adds(some, base, shown);
    }
    const j = this.order[at], grid = this.grids.get(j), next = at + 1;
    if (grid === undefined) {
      for (let level = 0; level <= p.heights[j]; level += 1) {
        const nodes = p.nodes[j][level], paid = p.paid[j][level];
        for (const part of parted(some, (i) => nodes[i]).values()) {
          total += yield* this.add(part, next, base + this.parts * paid[part[0]], [...shown, level]);
        }
      }
      return total;
    }
    for (const part of parted(some, (i) => p.codes[i][j]).values()) total += yield* this.add(part, next, base, [...shown, null]);
    const inCells = parted(some, (i) => grid.cells[p.codes[i][j]]), cells = [...inCells.keys()].sort(byNumber);
    for (let first = 0; first < cells.length; first += 1) {
      const inside = [];
      for (let last = first; last < cells.length; last += 1) {
        for (const i of inCells.get(cells[last])) inside.push(i);
        const cost = base + this.parts * (grid.endsAt[cells[last]] - grid.begins[cells[first]]);
        if (cost >= dearest) break;
        total += yield* this.add([...inside], next, cost, [...shown, [cells[first], cells[last]]]);
      }
    }
    return total;
  }

  /** What one instance adds: min(0, r), and 0 if it does not count. */
  adds(some, cost, shown) {
    const value = adds(some, this.p.tally, cost, this.need, this.prices);
    return value < 0 && this.counts(some, shown) ? BigInt(value) : 0n;
  }

  /** Whether an instance counts: nothing narrower or lower holds the same types. */
  counts(some, shown) {
    const { p } = this, kinds = p.heights.map(() => 0);
    let everything = p.outliers === "suppress";
    for (let at = 0; at < shown.length; at += 1) {
      const j = this.order[at], how = shown[at], grid = this.grids.get(j);
      if (grid === undefined) {
        kinds[j] = how;
        everything = everything && how === p.heights[j];
        const nodes = how ? p.nodes[j][how - 1] : null;
        if (how && some.every((i) => nodes[i] === nodes[some[0]])) return false;
        continue;
      }
      const whole = how !== null && how[0] === 0 && how[1] === grid.begins.length - 1;
      kinds[j] = whole ? 2 : how === null ? 0 : 1;
      everything = everything && whole;
      if (how === null) continue;
      const values = new Set(some.map((i) => p.codes[i][j])), cells = new Set([...values].map((value) => grid.cells[value]));
      if (values.size < 2 || !how.every((cell) => cells.has(cell))) return false;
    }
    return !everything && (this.mask === null || this.leaves(kinds));
  }
}
