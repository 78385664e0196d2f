// A certificate's reader, its head, and what its claims come to [F1-F5, H1-H6].

const LIMIT = 1n << 61n; // [F4] no number of a certificate reaches it
const SAFE = 1n << 53n; // below it plain numbers are exact

/** Numbers would not fit: into plain numbers (then BigInt is taken), or into other checkers' 64 bits [F5]. */
class TooLarge extends Error {}

/** Recount with plain numbers as long as every sum is known to stay below 2^53, else with BigInt up to 2^61. */
function* exactly(recount) {
  for (const [as, limit] of [[Number, SAFE], [BigInt, LIMIT]]) {
    try {
      return yield* recount(as, limit);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  return unreadable("the certificate's numbers are too large to be added up");
}

/** Stop where a number reaches the limit [F5]. */
function fits(number, limit) {
  if (number >= limit) throw new TooLarge();
}

/** The object in a certificate's file; of a packed one its head, with the file as `packed` [F1]. */
function readCertificate(bytes) {
  const packed = isPacked(bytes) ? bytes : null, found = readJson(utf8(packed ? firstLine(bytes) : bytes, "the certificate"));
  return found instanceof Map ? Object.assign(found, { packed }) : unreadable("the certificate is no object");
}

const isWhole = (value) => typeof value === "bigint";

/** A whole number of an object, below a size. */
function whole(source, name, { least = null, below = LIMIT } = {}) {
  const value = source.get(name);
  if (!isWhole(value) || value <= -below || value >= below || (least !== null && value < least)) {
    unreadable(`the certificate: ${name} is no whole number, or out of its range`);
  }
  return value;
}

/** A list of an object. */
function entries(source, name) {
  const value = source.get(name);
  return isList(value) ? value : unreadable(`the certificate: ${name} is no list`);
}

/** A list of whole numbers below a size. */
function numbers(value, name, length = null, below = LIMIT) {
  if (!isList(value) || (length !== null && value.length !== length)
      || !value.every((x) => isWhole(x) && -below < x && x < below)) {
    unreadable(`the certificate: ${name} is no list of whole numbers, or of another length`);
  }
  return value;
}

/** Short lists of whole numbers, of whatever size. */
function* pairsOf(source, name, length = 2) {
  for (const one of entries(source, name)) {
    if (!isList(one) || one.length !== length || !one.every(isWhole)) {
      unreadable(`the certificate: ${name} holds something else than ${length} whole numbers`);
    }
    yield one;
  }
}

/** A whole number as a place from 0 to below a size, or -1. */
const placeOf = (value, size) => (isWhole(value) && value >= 0n && value < BigInt(size) ? Number(value) : -1);

// The keys of objects: of the head, of an object under a key or in its list, of cuts by their kinds.
const HEAD = [
  "certificate", "version", "for", "rows", "row_types", "k", "outliers", "scale", "cost", "lower_bound",
  "lower_bound_checked", "proof", "released_sum",
];
const INNER = new Map([
  ["trees", ["component", "instances", "cuts", "tree"]], ["matching", ["scale", "divisor", "rows", "prices", "sets"]],
  ["sets", ["rows", "price"]],
]);
const CUTS = new Map([
  ["C", ["instances"]], ["T", ["types", "instances"]], ["S", ["types", "pairs"]], ["F", ["types", "part", "full"]],
]);

/** The keys that an object under a key may have; none where no object belongs. */
function keysAt(place, value) {
  if (place === "cuts") return ["kind", ...CUTS.get(value.get("kind")) || []];
  if (!["tree", "closed", "open"].includes(place)) return INNER.get(place) || [];
  return value.has("instance") ? ["instance", "closed", "open"] : ["prices", "weights"];
}

/** Refuse keys that no certificate has where they stand, numbers with a point, and notes that are none [F2, F3]. */
function knownKeys(certificate, top) {
  const left = [[top, null, certificate]];
  while (left.length) {
    const [known, under, value] = left.pop();
    if (known !== null && !areAmong(value.keys(), known)) {
      unreadable("the certificate has a key that no certificate has there");
    }
    for (const [key, one] of value.entries()) {
      const place = known === null ? under : key;
      if (typeof one === "number") unreadable("the certificate: a number has a point or an exponent");
      if (one instanceof Map) left.push([keysAt(place, one), null, one]);
      if (isList(one)) left.push([null, place, one]);
    }
  }
  if ((certificate.has("for") && !isText(certificate.get("for")))
      || (certificate.has("diverse") && typeof certificate.get("diverse") !== "boolean")) {
    unreadable("the certificate: for is no text, or diverse neither true nor false");
  }
}

/** A certificate's name and version, what recounts its bound, and its keys beside the head [H1]. */
function kindOf(certificate) {
  const name = certificate.get("certificate"), version = whole(certificate, "version");
  const kinds = new Map([
    ["incrowd k-anonymity bound 1", [provenByPrices, ["parts", "prices", "components", "trees"]]],
    ["incrowd k-anonymity bound 2",
      [provenUnderRequirements, ["requirements", "parts", "prices", "whole_below", "multipliers", "trees"]]],
    ["incrowd k-anonymity bound 3", [provenByPrices, ["parts"]]], // [Z4]
    ["incrowd 2-anonymity bound 1", [provenByMatching, ["diverse", "matching"]]],
    ["incrowd single recoding bound 1",
      [provenByWalk, ["requirements", "most_suppressed", "levels", "suppressed_rows"]]],
    ["incrowd ranges bound 1", [provenByRuns, ["column", "step", "parts", "prices"]]],
    ["incrowd ranges bound 2", [provenByRuns, ["columns", "steps", "parts", "prices"]]],
  ]);
  const gaps = name === "incrowd k-anonymity bound" && version > 13n && version < 17n; // [T8]
  const form = version - (gaps ? 13n : 10n), kind = isText(name) ? kinds.get(`${name} ${form}`) : undefined;
  if (!kind) unreadable("the certificate is of a kind or version that is not known here");
  return { name, form, gaps, prove: kind[0], beside: kind[1] };
}

/** Whether a certificate says what the table and the policy say. */
function sameFact(said, fact) {
  if (isList(fact)) return said.length === fact.length && fact.every((one, at) => said[at] === one);
  return said === fact;
}

/** The verdict on a certificate: its head, and its bound once the head is right [H1-H6]. */
function* recheck(problem, certificate, cost, packed = null) {
  let wrong = [];
  const { prove, beside, form } = kindOf(certificate);
  if ((packed === null) === (form === 3n)) unreadable("a certificate of version 13 or 16 is packed, and no other is");
  const lines = packed && linesBehind(packed, problem.t); // [Z1, Z2] before any claim
  knownKeys(certificate, [...HEAD, ...beside]);
  for (const [key, fact] of problem.facts) {
    const said = isText(fact) || isList(fact) ? certificate.get(key) : whole(certificate, key, { below: 1n << 63n });
    if (key === "requirements") entries(certificate, key);
    if (isText(fact) && !isText(said)) unreadable(`the certificate: ${key} is no text`);
    if (!sameFact(said, fact)) wrong.push(key);
  }
  const [claimed, bound, checked] = ["cost", "lower_bound", "lower_bound_checked"].map((key) => whole(certificate, key));
  const proof = certificate.get("proof");
  if (proof !== "certificate" && proof !== "solver") unreadable("the certificate: proof is neither 'certificate' nor 'solver'");
  if (problem.grids.length) wrong.push(...unlikeGrids(problem, certificate));
  if (cost !== null && cost !== claimed) wrong.push("cost");
  if (checked > bound || bound > claimed) wrong.push("lower_bound");
  let value = 0n;
  if (!wrong.length) {
    if (lines) certificate = new Map([...certificate, ["prices", pricesOf(lines, problem.t)], ["trees", []]]);
    try {
      value = larger(yield* prove(problem, certificate), problem.own);
    } catch (error) {
      if (!(error instanceof Refuted)) throw error;
      wrong.push(error.message || "proof");
    }
  }
  if (!wrong.length && checked > value) wrong.push("lower_bound_checked");
  if (!wrong.length && proof === "certificate" && bound > value) wrong.push("lower_bound");
  const proven = !wrong.length && value >= bound;
  wrong = wrong.map((name) => `certificate: ${name}`);
  return { cost: cost === null ? claimed : cost, bound: smaller(value, claimed), proven, wrong };
}
