// The whole check: files in, a verdict out. Nothing here knows a page.

/** The row types told apart by the quasi-identifiers and some columns beside, with what they cost [T1-T5]. */
function problemOf(fitted, columns) {
  const { policy, original } = fitted, m = policy.quasi.length;
  const more = columns.map((column) => ranked(original.cellsOf(column)));
  const ranks = [...fitted.values, ...more].map(placesOf);
  const [lists, sizes] = countedLists(original.cells([...policy.quasi, ...columns]));
  const types = lists.map((cells, at) => ({ codes: cells.map((cell, s) => ranks[s].get(cell)), rows: sizes[at] }))
    .sort((a, b) => byFirst(a.codes, b.codes));
  const levels = fitted.values.map((values, j) => {
    const tree = fitted.trees[j], costs = fitted.costs[j], top = tree ? tree.height : 1;
    const lines = values.map((value) => fitted.line(j, value));
    return Array.from({ length: top + 1 }, (_, level) => {
      const names = new Map(), label = (i, v) => (level === 0 ? v : level === top ? "*" : tree.shown[i][level]);
      const nodes = lines.map((i, v) => entryOf(names, label(i, v), () => names.size));
      return [nodes, lines.map((i) => fitted.units(costs[i][level]))];
    });
  });
  const p = new Problem(types.map(({ codes }) => codes.slice(0, m)), types.map(({ rows }) => rows), levels, fitted.mask,
    policy.k, policy.outliers, fitted.scale);
  p.gapped = fitted.gapped;
  p.own = fitted.units(fitted.unchanged(fitted.trees));
  p.secret = secretOf(types.map(({ codes }) => codes.slice(m)));
  const [kinds, rows] = kindsOf(types, more, m);
  p.kinds = kinds.map(({ texts: kind }) => kind);
  p.kindRows = kinds.map(({ rows: number }) => number);
  p.kind = rows;
  const told = areAmong(fitted.judged, columns);
  const nothing = (value) => value === true || value === "" || value.length === 0 || value.size === 0;
  if (![...policy.mask.values()].every(nothing)) p.kindsMask = { mask: fitted.mask, tops: fitted.heights };
  p.grids = fitted.grids.flatMap((grid, j) => (grid === null ? [] : [{
    j, step: grid.step, ordered: grid.sorted, numbers: fitted.values[j].map((value) => grid.numbers.get(value)),
    paid: fitted.paidAt[j].map((cost) => fitted.units(cost)),
  }]));
  p.asked = told ? policy.models.map((model) => new Requirement(model, columns, p.kinds, p.kindRows)) : [];
  return p;
}

/** The codes of sensitive columns by type, without columns that tell the same values apart as an earlier one [M1]. */
function secretOf(codes) {
  const apart = new Map();
  for (const s of codes[0].keys()) {
    const first = new Map(), column = codes.map((code) => code[s]);
    entryOf(apart, column.map((code, i) => entryOf(first, code, () => i)).join(), () => column);
  }
  const kept = [...apart.values()];
  return kept.length ? codes.map((_, i) => kept.map((column) => column[i])) : null;
}

/** The kinds, sorted, each with its texts and rows; and the kind of every row type [V1]. */
function kindsOf(types, values, m) {
  const names = types.map(({ codes }) => codes.slice(m).join());
  const kinds = [...parted(types.keys(), (i) => names[i])].map(([name, some]) => {
    const own = types[some[0]].codes.slice(m);
    return { name, own, texts: own.map((code, s) => values[s][code]), rows: addedUp(some.map((i) => types[i].rows)) };
  }).sort((a, b) => byFirst(a.own, b.own));
  const number = placesOf(kinds.map(({ name }) => name));
  return [kinds, names.map((name) => number.get(name))];
}

const IN_UNITS = ["cost", "lower_bound", "lower_bound_checked"]; // without what rows cost as they are

/** The verdict on a certificate, and what it is about. */
function* verdictOn(fitted, certificate, costs, released) {
  const { policy } = fitted, { packed } = certificate, { name, form, gaps } = kindOf(certificate);
  let columns = [], about = "k-anonymity";
  if (name === "incrowd 2-anonymity bound" && certificate.get("diverse") === true) {
    const halved = policy.models.filter((model) => {
      const limit = model.shareLimit();
      return limit !== null && !ONE.below(limit.times(fraction(2)));
    }).map((model) => model.asked.get("column"));
    if (fitted.judged.every((column) => halved.includes(column))) columns = fitted.judged;
    about = columns.length ? "2-diversity" : about;
  }
  const onGrid = name === "incrowd ranges bound", second = form === 2n && !onGrid;
  if (onGrid !== policy.grid) unreadable("of certificate and policy, one is about ranges on a grid and the other is not");
  if (second) {
    columns = fitted.judged;
    about = "k-anonymity and the requirements";
  }
  const one = name === "incrowd single recoding bound";
  if (one) {
    if (!policy.single) unreadable("the certificate is about one recoding for the whole table, the policy is not");
    columns = fitted.judged;
    about = `${policy.models.length ? "k-anonymity and the requirements" : about} with one recoding for the whole table`;
  }
  if (onGrid) about += ` with ranges on ${policy.ranged.length === 1 ? "this grid" : "these grids"}`;
  if (fitted.gapped.length > 0 !== gaps) unreadable("the certificate is of no version for this table"); // [H7]
  yield "row types";
  const p = problemOf(fitted, columns);
  if (one) {
    p.facts.set("most_suppressed", (policy.limit || ONE).times(fraction(p.rows)).floor());
    p.ofRelease = null;
    if (costs !== null) {
      const places = policy.quasi.map((column) => released.column(column));
      p.ofRelease = shownAt(fitted, released.rows.map((row) => ({ cells: places.map((j) => row[j]), rows: 1 })));
    }
  }
  p.facts.set("released_sum", rowSumOf(released));
  if (second || one) p.facts.set("requirements", policy.models.map((model) => model.rule));
  const { own } = p;
  if (own && name === "incrowd 2-anonymity bound") unreadable("a certificate of 2-anonymity is not read under this cost");
  certificate = new Map([...certificate].map(([name, told]) => [name, IN_UNITS.includes(name) && isWhole(told) ? told + own : told]));
  let cost = null;
  if (costs !== null) {
    const [low, high] = costs.map((end) => end.times(new Fraction(fitted.scale)).floor() + own), claimed = certificate.get("cost");
    cost = isWhole(claimed) && low <= claimed && claimed <= high ? claimed : low;
  }
  const found = yield* recheck(p, certificate, cost, packed);
  if (cost === null) {
    found.wrong.push("certificate: cost");
    found.proven = false;
  }
  return { ...found, cost: found.cost - own, bound: larger(found.bound - own, 0n), about, known: cost !== null };
}

/** What a release is held to, and what else it shows: columns that passed unchanged, rows unique on them [R11]. */
function heldTo({ policy }, released) {
  const names = released.names.filter((name) => !policy.quasi.includes(name)), cells = released.cells(names);
  const rows = cells.length, [, alike] = countedLists(cells);
  const kept = names.map((name, j) => {
    const distinct = new Set(cells.map((row) => row[j]).filter((cell) => cell !== null)).size;
    const role = policy.sensitive.includes(name) ? "sensitive" : "other";
    return { name, role, distinct, nearly_unique: distinct > 1 && rows <= 2 * distinct };
  });
  const alone = kept.length ? alike.filter((number) => number === 1).length : 0, half = rows > 0 && rows <= 2 * alone;
  return {
    k: policy.k, asked: policy.models.map((model) => model.rule), quasi_identifiers: [...policy.quasi], kept_columns: kept,
    kept_unique_rows: alone, rows, telling: kept.some(({ role, nearly_unique: near }) => role === "other" && (near || half)),
  };
}

/**
 * Check a release. `files`: original, release, policy, and certificate (or null), each {name, bytes}; others: files that
 * the policy names. It gives way with words of progress; returned is {verdict: "good", "violation" or "unreadable", why,
 * violations, facts: null or {cost, bound, proven, question, k}, held: what was asked, of which columns}.
 */
function* check(files) {
  try {
    const known = [...files.others || []], paths = new Map();
    const named = (path) => { // a page knows files by their names alone, without folders
      const name = path.split(/[\\/]/).pop(), found = known.filter((file) => file.name === name);
      if (found.length > 1 || (paths.has(name) && paths.get(name) !== path)) unreadable("two files have one name");
      if (!found.length) unreadable("a file that the policy names is missing");
      paths.set(name, path);
      return decoded(found[0].bytes);
    };
    yield "the policy";
    const policy = new Policy(utf8(files.policy.bytes, "the policy"), named);
    const certificate = files.certificate ? readCertificate(files.certificate.bytes) : null;
    yield "the original";
    const steps = policy.grid && certificate ? stepsOf(certificate) : null;
    if (steps && policy.step === null && steps.length !== policy.ranged.length) {
      unreadable("the certificate is about other ranged columns than the policy");
    }
    const fitted = new Fitted(policy, new Table(files.original, policy.reading), steps || []);
    yield "the release";
    const plain = new Map([["header", true], ["delimiter", ","], ["strip", false]]);
    const released = new Table(files.release, plain, policy.marked);
    const [violations, costs] = yield* releasedAsAsked(fitted, released);
    let facts = null;
    if (certificate !== null) {
      yield "the certificate";
      const found = yield* verdictOn(fitted, certificate, costs, released), unit = fitted.scale;
      violations.push(...found.wrong);
      const cost = found.known ? new Fraction(found.cost, unit).toString() : null;
      const bound = new Fraction(found.bound, unit).toString();
      facts = { cost, bound, proven: found.proven, question: found.about, k: policy.k };
    }
    return { verdict: violations.length ? "violation" : "good", why: null, violations, facts, k: policy.k, held: heldTo(fitted, released) };
  } catch (error) {
    // what this page was not written for is never called good; its text may quote a cell
    const why = error instanceof Unreadable ? error.message
      : `something is not of the form that is read here (${error.name})`;
    return { verdict: "unreadable", why, violations: [], facts: null };
  }
}
