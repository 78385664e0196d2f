// The policy: what a release must be, as its TOML file says. A key that is not known is refused.

const ALIASES = new Map([
  ["qi", "quasi_identifiers"], ["identifier", "identifiers"], ["requirements", "require"], ["weight", "weights"],
  ["hierarchy", "hierarchies"], ["pattern", "patterns"],
]);
const MASK_WORDS = [
  "max_stars", "keep", "together", "at_most_one", "never_together", "max_level", "patterns", "full_suppression",
];
const READ_WORDS = ["header", "columns", "delimiter", "encoding", "na", "strip"];
const JOB_WORDS = [
  "source", "output", "certificate", "report", "solver", "time_limit", "gap", "work", "seed", "ties", "recursion",
  "reduce", "blunt", "quiet_facts", "keep_order", "spreadsheet_safe", "keep_best", "dry_run", "memory",
  "types_in_memory", "engine",
];
const OWN_WORDS = [
  "quasi_identifiers", "sensitive", "identifiers", "other", "numeric", "k", "l", "t", "require", "sensitive_distance",
  "mask", "weights", "cost", "hierarchies", "other_hierarchies", "complete_hierarchies", "recoding", "round",
  "outliers", "suppressed", "star", "suppression_limit",
];

/** A list of texts; one text is split at its commas. */
function texts(value, name) {
  if (areTexts(value)) return value;
  if (!isText(value) || value.includes('"')) unreadable(`${name} is no list of texts`);
  return value.split(",").map(strip).filter((part) => part !== "");
}

/** A value that is one of some. */
function choice(value, name, ...choices) {
  return choices.includes(value) ? value : unreadable(`${name} is none of ${choices.join(", ")}`);
}

/** The list of texts of a document under a name; an empty one where there is none. */
const textsOf = (said, name) => texts(entryOr(said, name, []), name);

/** What a document says under a name, one of some choices: the first where there is nothing. */
const chosen = (said, name, ...choices) => choice(entryOr(said, name, choices[0]), name, ...choices);

/** The table of a document under a name; an empty one where there is none. */
function tableOf(said, name) {
  const value = entryOr(said, name, new Map());
  return value instanceof Map ? value : unreadable(`[${name}] is no table`);
}

/** The words of a rule as a shell would split them; null where a quote is not closed. */
function shellWords(text) {
  const words = [];
  let word = null, quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quote === "'" ? sign !== "'" : quote && sign !== '"' && sign !== "\\") {
      word += sign;
    } else if (sign === "\\") {
      at += 1;
      if (at === text.length) return null;
      word = (word || "") + (quote && text[at] !== '"' && text[at] !== "\\" ? `\\${text[at]}` : text[at]);
    } else if (quote) {
      quote = "";
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      word = word || "";
    } else if (" \t\r\n".includes(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word || "") + sign;
    }
  }
  if (quote) return null;
  return word === null ? words : [...words, word];
}

class Policy {
  /** `files`: finds the text of a file that the policy names. */
  constructor(text, files) {
    this.files = files;
    const said = this.flat(readToml(text));
    const fractionIn = (name) => (said.has(name) ? exact(said.get(name), name) : null);
    this.quasi = textsOf(said, "quasi_identifiers");
    this.identifiers = textsOf(said, "identifiers");
    this.other = chosen(said, "other", "keep", "drop");
    const [cost, file] = workloadFile(entryOr(said, "cost", "leaves"));
    this.cost = cost;
    this.numeric = textsOf(said, "numeric");
    this.queries = file === null ? [] : queriesOf(files(file));
    this.outliers = chosen(said, "outliers", "forbid", "suppress");
    this.complete = chosen(said, "complete_hierarchies", false, true);
    const recoding = chosen(said, "recoding", "levels", "ranges", "grid", "global");
    if (recoding === "ranges") unreadable("recoding = 'ranges' is not read by this page");
    this.grid = recoding === "grid";
    this.step = fractionIn("round");
    if (this.step !== null && (!ZERO.below(this.step) || !this.grid)) unreadable("round is no step of a grid above 0");
    this.single = recoding === "global";
    this.limit = fractionIn("suppression_limit");
    if (this.limit !== null && (this.limit.n < 0n || ONE.below(this.limit))) {
      unreadable("suppression_limit is not from 0 to 1");
    }
    const every = said.get("hierarchies") === "auto";
    this.auto = chosen(said, "other_hierarchies", "none", "auto") === "auto" || every;
    const missing = chosen(said, "suppressed", "text", "null") === "null", star = entryOr(said, "star", "*");
    if (!isText(star) || star === "") unreadable("star is no text");
    this.star = missing ? null : star;
    this.reading = new Map(READ_WORDS.filter((name) => said.has(name)).map((name) => [name, said.get(name)]));
    if (!missing && star !== strip(star) && flagOf(this.reading, "strip", true)) {
      unreadable("star begins or ends with a blank");
    }
    this.marked = chosen(said, "spreadsheet_safe", false, true);
    this.mask = this.maskOf(said);
    this.weights = new Map([...tableOf(said, "weights")].map(([column, weight]) => [column, exact(weight, "a weight")]));
    if ([...this.weights.values()].some((weight) => weight.n < 0n)) unreadable("a weight is below 0");
    this.hierarchies = every ? new Map() : tableOf(said, "hierarchies");
    const required = entryOr(said, "require", []);
    let asked = (isList(required) ? required : [required]).map((one) => this.model(one));
    const ks = asked.filter((model) => model.name === "k-anonymity").map((model) => model.asked.get("k"));
    if (said.has("k")) ks.push(wholeNumber(said.get("k"), "k", 1n));
    if (!ks.length || !this.quasi.length) unreadable("the policy names no k, or no quasi-identifiers");
    this.k = Number(smaller(ks.reduce(larger), 1n << 52n));
    asked = asked.filter((model) => model.name !== "k-anonymity");
    const named = textsOf(said, "sensitive");
    const judged = new Set(asked.flatMap((model) => model.judged));
    this.sensitive = [...named, ...[...judged].filter((column) => !named.includes(column))];
    const keys = new Set(asked.map((model) => model.key));
    this.models = [...asked, ...this.everywhere(said).filter((model) => !keys.has(model.key))];
    const about = [...this.weights.keys(), ...this.hierarchies.keys()];
    if (!unique([...this.quasi, ...this.sensitive, ...this.identifiers])
        || !areAmong(about, this.quasi)) {
      unreadable("a column has two roles, or a weight or hierarchy is of no quasi-identifier");
    }
    const queried = this.queries.flatMap(({ columns }) => columns);
    if (!areAmong([...this.numeric, ...queried], this.quasi)) {
      unreadable("numeric, or a query of the workload, names a column that is no quasi-identifier");
    }
    if (missing && (this.single || this.limit !== null)) {
      unreadable("suppressed = 'null' does not tell which rows are fully suppressed");
    }
    if (missing && (this.hierarchies.size || this.auto || LOOKING.includes(this.cost))) {
      unreadable("suppressed = 'null' goes with no hierarchies, and not with this cost");
    }
    this.ranged = this.quasi.filter((column) => this.grid && this.numeric.includes(column) && !this.hierarchies.has(column));
    if (this.grid && !this.onGrid()) unreadable("recoding = 'grid' lacks a column, or does not go with the rest");
  }

  /** Whether all else that the policy says goes with ranges on a grid [G1]. */
  onGrid() {
    const own = (spec) => spec instanceof Map && (spec.has("level_costs") || spec.has("node_costs"));
    return this.ranged.length > 0 && ![...this.hierarchies.values()].some(own)
      && ["leaves", "ncp"].includes(this.cost) && this.star !== null && this.limit === null && !this.models.length;
  }

  flat(document) {
    const flat = new Map();
    for (const [name, value] of document) {
      const own = name === "read" || name === "job", inner = own ? value : new Map([[name, value]]);
      if (!(inner instanceof Map)) unreadable("a table of the policy is none");
      const known = name === "read" ? READ_WORDS : name === "job" ? JOB_WORDS
        : [...OWN_WORDS, ...MASK_WORDS, ...READ_WORDS, ...JOB_WORDS];
      for (const [word, entry] of inner) {
        const key = ALIASES.get(word) || word;
        if (!known.includes(key) || flat.has(key)) unreadable("the policy has a key that is unknown or given twice");
        flat.set(key, entry);
      }
    }
    return flat;
  }

  maskOf(said) {
    const mask = new Map(tableOf(said, "mask")), words = MASK_WORDS.filter((name) => said.has(name));
    if (words.length && (mask.has("any") || mask.has("all"))) {
      unreadable("a word of the mask stands beside a composed mask");
    }
    for (const name of words) mask.set(name, this.maskWord(name, said.get(name)));
    return mask;
  }

  /** A word of the mask that stands outside its table: there it is written as an option of the command line. */
  maskWord(name, value) {
    if (name === "max_stars") return wholeNumber(value, name);
    if (name === "max_level") {
      const levels = tableOf(new Map([[name, value]]), name);
      return new Map([...levels].map(([column, level]) => [column, wholeNumber(level, name)]));
    }
    if (!isText(value) || !["keep", "together", "at_most_one", "never_together"].includes(name)) return value;
    return name === "keep" ? texts(value, name) : [texts(value, name)];
  }

  /** The models that l and t alone ask for: one for every sensitive column. */
  everywhere(said) {
    const apart = tableOf(said, "sensitive_distance"), found = [];
    if (((said.has("l") || said.has("t")) && !this.sensitive.length) || !areAmong(apart.keys(), this.sensitive)) {
      unreadable("l, t or a sensitive_distance is about no sensitive column");
    }
    if (apart.size && !said.has("t")) unreadable("sensitive_distance is given without t");
    for (const column of said.has("l") ? this.sensitive : []) {
      found.push(new Model("l-diversity", new Map([["l", said.get("l")], ["column", column]]), this.files));
    }
    for (const column of said.has("t") ? this.sensitive : []) {
      const written = entryOr(apart, column, "equal");
      if (!isText(written)) unreadable("a sensitive_distance is no text");
      const [distance, hierarchy] = matrixFile(written) === null ? cutAt(written, ":") : [written, null];
      const settings = new Map([["t", said.get("t")], ["column", column], ["distance", distance]]);
      if (hierarchy !== null) settings.set("hierarchy", hierarchy);
      found.push(new Model("t-closeness", settings, this.files));
    }
    return found;
  }

  model(said) {
    let name = null, settings = new Map();
    if (isText(said)) {
      const words = shellWords(said);
      if (!words || !words.length) unreadable("require cannot be read");
      name = words[0];
      for (const word of words.slice(1)) {
        const [key, value] = cutAt(word, "=");
        if (value === null || settings.has(key)) unreadable("require cannot be read");
        settings.set(key, value);
      }
    } else if (said instanceof Map) {
      settings = new Map(said);
      name = settings.get("model");
      settings.delete("model");
      if (!name) {
        name = settings.get("name");
        settings.delete("name");
      }
    }
    if (!isText(name)) unreadable("require cannot be read");
    return new Model(name, settings, this.files);
  }
}
