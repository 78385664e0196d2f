// What a policy asks of classes beside k: models with their settings, and the rule that a certificate names them by [V2].

const NEEDED = Symbol("needed");
const MODELS = new Map(Object.entries({ // settings in the order in which a rule writes them: name, kind, default
  "k-anonymity": [["k", "whole", NEEDED]],
  "alpha-k": [["alpha", "fraction", NEEDED], ["column", "text", NEEDED]],
  "beta-likeness": [["beta", "fraction", NEEDED], ["column", "text", NEEDED], ["enhanced", "flag", false]],
  "delta-disclosure": [["delta", "fraction", NEEDED], ["column", "text", NEEDED]],
  "l-diversity": [
    ["l", "fraction", NEEDED], ["column", "text", null], ["kind", "text", "frequency"], ["c", "fraction", null],
    ["columns", "list", []],
  ],
  "p-sensitive": [["p", "whole", NEEDED], ["column", "text", NEEDED]],
  "t-closeness": [
    ["t", "fraction", NEEDED], ["column", "text", NEEDED], ["distance", "distance", "equal"],
    ["rescale", "flag", false], ["order", "list", []], ["hierarchy", "lines", []],
  ],
}));

/** The file of distances that a distance names, or null: `matrix:FILE`, or a path that ends in .csv. */
function matrixFile(value) {
  if (!isText(value) || value.startsWith("hierarchical:")) return null;
  if (value.startsWith("matrix:")) return value.slice(7);
  return value.toLowerCase().endsWith(".csv") ? value : null;
}

/** The values that the header of a file of distances names, and its rows of numbers. */
function distancesOf(text) {
  const [head, ...lines] = hierarchyLines(text), values = head ? head.slice(1) : [];
  const good = values.length && values.length <= 256 && unique(values) && !values.includes("")
    && lines.length === values.length && lines.every((line, i) => line.length === head.length && line[0] === values[i]);
  if (!good) unreadable("a file of distances is no square of at most 256 values, each with one name");
  return [values, lines.map((line) => line.slice(1))];
}

class Model {
  constructor(name, settings, files) {
    const file = matrixFile(settings.get("distance"));
    if (file !== null) {
      const [values, rows] = distancesOf(files(file)), before = settings.get("order");
      if (before && before.length) unreadable("a file of distances names its values, and so does an order");
      settings = new Map([...settings, ["distance", rows], ["order", values]]);
    }
    const known = MODELS.get(name);
    if (!known) unreadable("the policy asks for a model that is not known here");
    if (!areAmong(settings.keys(), known.map(([key]) => key))) {
      unreadable(`a setting of ${name} is not known`);
    }
    this.name = name;
    this.asked = new Map();
    for (const [key, kind, standard] of known) {
      if (!settings.has(key) && standard === NEEDED) unreadable(`${name} needs ${key}`);
      this.asked.set(key, settings.has(key) ? this.cleaned(kind, settings.get(key), key, files) : standard);
    }
    const column = this.asked.get("column"), take = (key) => this.asked.get(key);
    this.judged = name === "k-anonymity" ? [] : column === null ? take("columns") : [column];
    if (!this.fits(take) || (name !== "k-anonymity" && !this.judged.length)) {
      unreadable(`the settings of ${name} are out of range, or do not go together`);
    }
    const plain = (value) => (value instanceof Fraction || typeof value === "bigint" ? `#${value}`
      : isList(value) ? value.map(plain) : value);
    this.key = JSON.stringify([name, ...known.map(([key]) => plain(take(key)))]);
    const words = known.filter(([key, , standard]) => {
      const value = take(key);
      return settings.has(key) && value !== null && value !== standard && !(isList(value) && !value.length);
    });
    this.rule = [name, ...words.map(([key, kind]) => `${key}=${key === "order" ? "given" : this.written(kind, take(key))}`)].join(" ");
  }

  cleaned(kind, value, key, files) {
    if (kind === "whole") return wholeNumber(value, key, 1n);
    if (kind === "fraction") return exact(value, key);
    if (kind === "flag") return typeof value === "boolean" ? value : choice(value, key, "true", "false") === "true";
    if (kind === "list") return texts(value, key);
    if (kind === "distance" && isList(value)) {
      if (!value.every(isList)) unreadable("a distance is no matrix");
      return value.map((row) => row.map((x) => exact(x, "a distance")));
    }
    if (kind !== "lines") return isText(value) ? value : unreadable(`${key} is no text`);
    const lines = isText(value) ? hierarchyLines(files(value)) : value;
    if (!isList(lines) || !lines.length || !lines.every(areTexts)) unreadable("a tree of sensitive values has no lines");
    const width = lines[0].length, parent = new Map();
    if (width < 2 || lines.some((line) => line.length !== width) || !unique(lines.map((line) => line[0]))) {
      unreadable("a tree of sensitive values has a value twice, or lines of several lengths");
    }
    let fits = new Set(lines.map((line) => line[width - 1])).size === 1;
    for (const line of lines) {
      for (let j = 1; j < width - 1; j += 1) {
        fits = entryOf(parent, keyOf([String(j), line[j]]), () => line[j + 1]) === line[j + 1] && fits;
      }
    }
    return fits ? lines : unreadable("a tree of sensitive values is no tree with one root");
  }

  /** Whether the settings are in their ranges and go together. */
  fits(take) {
    const above = (value) => value.n > 0n;
    if (this.name === "alpha-k") return above(take("alpha")) && !ONE.below(take("alpha"));
    if (this.name === "beta-likeness") return above(take("beta"));
    if (this.name === "delta-disclosure") return above(take("delta"));
    if (this.name === "l-diversity") {
      const kind = take("kind"), joint = kind === "joint", c = take("c"), columns = take("columns");
      return ["frequency", "distinct", "entropy", "recursive", "joint"].includes(kind) && !take("l").below(ONE)
        && (kind === "frequency" || kind === "entropy" || take("l").whole)
        && (kind === "recursive") === (c !== null) && (c === null || above(c))
        && (take("column") === null) === joint && columns.length > 0 === joint && unique(columns);
    }
    if (this.name === "t-closeness") {
      const matrix = isList(take("distance")), t = take("t"), order = take("order"), kind = take("distance");
      if (matrix && !this.isMetric()) return false;
      return t.n >= 0n && !ONE.below(t) && (matrix || ["equal", "ordered", "numeric", "hierarchical"].includes(kind))
        && (kind === "hierarchical") === take("hierarchy").length > 0 && (matrix || !take("rescale"))
        && (matrix || kind === "ordered" || !order.length) && unique(order);
    }
    return true;
  }

  /** Whether a matrix of distances is one, with 1 as its largest (once it is rescaled, where that is asked for). */
  isMetric() {
    let rows = this.asked.get("distance"), top = rows.flat().reduce(greater, ZERO);
    if (!rows.length) return false;
    if (this.asked.get("rescale") && top.n) {
      rows = rows.map((row) => row.map((x) => x.over(top)));
      this.asked.set("distance", rows);
      top = ONE;
    }
    if (rows.some((row) => row.length !== rows.length)) return false;
    const parts = commonDenominator(rows.flat());
    const whole = rows.map((row) => row.map((x) => (x.n * parts) / x.d));
    const wrong = whole.some((one, i) => one[i] || one.some((x, j) => x !== whole[j][i] || x < 0n))
      || whole.some((one) => whole.some((other, m) => one.some((x, j) => x > one[m] + other[j])));
    return !wrong && (top.equals(ZERO) || top.equals(ONE));
  }

  written(kind, value) {
    if (kind === "fraction") return plainest(value);
    return isList(value) ? (areTexts(value) ? value.join(",") : "given") : String(value);
  }

  /** The share of a class that no value may exceed, if one number says it. */
  shareLimit() {
    if (this.name === "alpha-k") return this.asked.get("alpha");
    const frequency = this.name === "l-diversity" && this.asked.get("kind") === "frequency";
    return frequency ? ONE.over(this.asked.get("l")) : null;
  }
}
