// Whether a class meets a model, exactly, in whole numbers and fractions [R5, V5].

class Metric {
  /** How far apart values are: nodes of a tree by height, steps of a line, or a matrix; all in fractions. */
  constructor(asked, values) {
    const kind = asked.get("distance"), order = asked.get("order");
    this.nodes = this.steps = this.matrix = null;
    if (kind === "equal") {
      this.nodes = [values.map((_, v) => v)];
    } else if (kind === "hierarchical") {
      const lines = new Map(asked.get("hierarchy").map((line) => [line[0], line]));
      if (values.some((value) => !lines.has(value))) unreadable("the tree of sensitive values lacks some");
      const height = asked.get("hierarchy")[0].length - 1;
      this.nodes = Array.from({ length: height }, (_, level) => values.map((value) => lines.get(value)[level]));
    } else if (values.includes(null)) {
      unreadable("missing values have no place in an ordered, numeric or given distance");
    } else {
      this.inLine(kind, order, values);
    }
  }

  inLine(kind, order, values) {
    if (values.some((value) => /[^\P{Nd}0-9]/u.test(value))) unreadable("sensitive values hold digits other than 0 to 9");
    let numbers = values.map(plainNumber);
    if (numbers.includes(null)) numbers = null;
    if (kind === "numeric" && !numbers) unreadable("the numeric distance is asked of values that are no numbers");
    let size, ranks;
    if (order.length) {
      if (!areAmong(values, order)) unreadable("order lacks values of its column");
      this.place = values.map((value) => order.indexOf(value));
      size = order.length;
    } else {
      const keys = numbers || values, same = numbers ? (a, b) => a.compare(b) : byBytes;
      ranks = [];
      this.place = [];
      for (const v of [...keys.keys()].sort((a, b) => same(keys[a], keys[b]))) {
        if (!ranks.length || same(ranks[ranks.length - 1], keys[v]) !== 0) ranks.push(keys[v]);
        this.place[v] = ranks.length - 1;
      }
      size = ranks.length;
    }
    if (isList(kind)) {
      if (kind.length !== (order.length ? size : values.length) || !unique(this.place)) {
        unreadable("the distance matrix does not fit the values");
      }
      this.matrix = this.place.map((a) => this.place.map((b) => kind[a][b]));
      return;
    }
    const steps = Array.from({ length: size - 1 }, (_, at) => (kind === "numeric" ? ranks[at + 1].minus(ranks[at]) : ONE));
    const span = sumOf(steps);
    this.steps = steps.map((step) => step.over(span));
    this.parts = commonDenominator(this.steps);
    this.wholeSteps = this.steps.map((step) => (step.n * this.parts) / step.d);
  }

  /** The distance of two values. */
  apart(u, v) {
    if (this.nodes !== null) {
      const meets = this.nodes.findIndex((nodes) => nodes[u] === nodes[v]), all = this.nodes.length;
      return fraction(meets < 0 ? all : meets, all);
    }
    if (this.steps === null) return this.matrix[u][v];
    const [low, high] = [this.place[u], this.place[v]].sort(byNumber);
    return sumOf(this.steps.slice(low, high));
  }

  /** The earth mover's distance of a class (rows by value) from the table, a fraction. */
  work(rows, totals) {
    const size = BigInt(addedUp(rows.values())), n = BigInt(addedUp(totals)), all = n * size;
    const excess = totals.map((number, v) => BigInt(rows.get(v) || 0) * n - BigInt(number) * size); // times n N
    if (this.nodes !== null) {
      let moved = 0n;
      for (const nodes of this.nodes) {
        const sums = new Map();
        nodes.forEach((node, v) => addTo(sums, node, excess[v]));
        for (const sum of sums.values()) moved += absolute(sum);
      }
      return new Fraction(moved, 2n * BigInt(this.nodes.length) * all);
    }
    if (this.steps === null) {
      const [more, less] = [(v) => excess[v] > 0n, (v) => excess[v] < 0n].map((some) => [...excess.keys()].filter(some));
      const costs = less.map((u) => new Map(more.map((v, at) => [at, this.matrix[v][u]])));
      return leastCost(more.map((v) => excess[v]), less.map((u) => -excess[u]), costs).over(new Fraction(all));
    }
    const at = new Array(this.steps.length + 1).fill(0n);
    this.place.forEach((place, v) => { at[place] += excess[v]; });
    let crossing = 0n, paid = 0n;
    this.wholeSteps.forEach((step, place) => {
      crossing += at[place];
      paid += step * absolute(crossing);
    });
    return new Fraction(paid, this.parts * all);
  }
}

const FORMS = new Map([
  ["alpha-k", "shares"], ["beta-likeness", "shares"], ["delta-disclosure", "shares"], ["p-sensitive", "distinct"],
  ["t-closeness", "distance"],
]);

class Requirement {
  /**
   * A model on one table. `kinds` are the combinations of the judged columns' values (lists of texts, the columns
   * `names`), `rows` how many rows of the table each has; a class is a Map from the places of kinds to its rows.
   */
  constructor(model, names, kinds, rows) {
    this.model = model;
    this.asked = model.asked;
    this.kinds = kinds;
    this.places = model.judged.map((column) => names.indexOf(column));
    const first = this.places[0];
    [this.values, this.code] = coded(kinds.map((kind) => kind[first])); // code: the value of every kind, by its rank
    this.totals = this.values.map(() => 0);
    rows.forEach((number, s) => { this.totals[this.code[s]] += number; });
    this.n = addedUp(this.totals);
    this.metric = model.name === "t-closeness" ? new Metric(this.asked, this.values) : null;
    const kind = this.asked.get("kind");
    this.form = FORMS.get(model.name) || (kind === "frequency" ? "shares" : kind === "joint" ? "distinct" : kind);
    const least = this.asked.get("p") || (this.asked.has("l") ? this.asked.get("l").floor() : 0n);
    this.least = Number(smaller(least, 1n << 50n));
  }

  /** Whether a class with so many rows of each kind meets the model. */
  met(counted) {
    const { asked, model: { name } } = this, rows = new Map();
    let size = 0;
    for (const [s, number] of counted) {
      if (number) addTo(rows, this.code[s], number);
      size += number;
    }
    if (asked.get("kind") === "joint" && this.places.length > 1) {
      const [lines] = countedLists([...counted].filter(([, number]) => number)
        .map(([s]) => this.places.map((j) => this.kinds[s][j])));
      return jointlyDiverse(lines, this.least);
    }
    if (this.form === "distinct") return rows.size >= this.least;
    const numbers = [...rows.values()];
    if (this.form === "entropy") return evenEnough(numbers.map(BigInt), asked.get("l"));
    if (this.form === "recursive") {
      const ordered = numbers.sort((a, b) => b - a), rest = addedUp(ordered.slice(this.least - 1));
      return fraction(ordered[0]).below(asked.get("c").times(fraction(rest)));
    }
    if (name === "t-closeness") return !asked.get("t").below(this.metric.work(rows, this.totals));
    const limit = this.model.shareLimit();
    if (limit !== null) return !limit.times(fraction(size)).below(fraction(Math.max(...numbers)));
    const ratios = [...rows].map(([v, number]) => [new Fraction(BigInt(number) * BigInt(this.n),
      BigInt(size) * BigInt(this.totals[v])), this.totals[v]]);
    if (name === "beta-likeness") {
      if (ratios.some(([ratio]) => asked.get("beta").below(ratio.minus(ONE)))) return false;
      // a gain above -ln p; a gain above 0 is no logarithm of a fraction
      return !asked.get("enhanced") || !ratios.some(([ratio, c]) => ONE.below(ratio)
        && logarithmSign([[BigInt(this.n), 1n], [BigInt(c), -1n]], ratio.minus(ONE)) < 0);
    }
    if (name !== "delta-disclosure") throw new Error("a model that is not judged");
    return ratios.every(([ratio]) => { // |ln ratio| < delta
      const x = ratio.below(ONE) ? ONE.over(ratio) : ratio;
      return x.equals(ONE) || logarithmSign([[x.n, 1n], [x.d, -1n]], asked.get("delta")) < 0;
    });
  }
}

/** Whether values with so many rows have an entropy of at least ln l: N^N >= l^N prod c^c, in whole numbers. */
function evenEnough(rows, l) {
  const common = rows.reduce(greatestDivisor);
  rows = rows.map((number) => number / common);
  const size = addedUp(rows, 0n), floats = rows.map(Number), whole = Number(size);
  const lnL = Number(lnScaled(l.n, 60) - lnScaled(l.d, 60)) / 2 ** 60;
  const about = whole * Math.log(whole) - floats.reduce((sum, c) => sum + c * Math.log(c), 0) - whole * lnL;
  if (Math.abs(about) > 1e-9 * (1 + whole * (Math.log(whole) + Math.abs(lnL)))) return about > 0; // far above a few floats' error
  return size ** size * l.d ** size >= rows.reduce((all, c) => all * c ** c, l.n ** size);
}

/** Whether every line lies in l lines that differ pairwise in every column. */
function jointlyDiverse(lines, l) {
  if (l <= 1 || !lines.length) return true;
  return lines.every((line) => mostApart(lines.filter((other) => differ(other, line)), l - 1) >= l - 1);
}

/** Whether two lines differ in every column. */
const differ = (one, other) => one.every((cell, j) => cell !== other[j]);

/** How many lines differ pairwise in every column at most, or `enough` if that is less. */
function mostApart(lines, enough) {
  if (!lines.length || enough <= 0) return 0;
  if (lines[0].length === 2) { // a largest matching between the values of two columns
    const [values, codes] = coded(lines.map(([, b]) => b));
    const fits = [...parted(lines.keys(), (at) => lines[at][0]).values()].map((some) => some.map((at) => codes[at]));
    return Math.min(fits.length - addedUp(shortOf(values.map(() => 1), fits.map(() => 1), fits).lacks), enough);
  }
  let best = 0, steps = 0;
  const stack = [[lines, 0]];
  while (stack.length && best < enough) {
    const [left, size] = stack.pop();
    best = Math.max(best, size);
    steps += 1;
    if (steps > 200000) unreadable("joint l-diversity of three columns and more is not decided within 200,000 steps");
    const narrow = Math.min(...lines[0].map((_, j) => new Set(left.map((line) => line[j])).size));
    if (!left.length || size + narrow <= best) continue;
    stack.push([left.slice(1), size]);
    stack.push([left.filter((other) => differ(left[0], other)), size + 1]);
  }
  return Math.min(best, enough);
}
