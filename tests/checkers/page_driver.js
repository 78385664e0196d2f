// Asks the page's script, without a browser: node page_driver.js SCRIPT; one question a line on standard input, one answer
// a line on standard output. {"problem": {...}} is remembered under its "name"; {"name", "certificate", "cost"} recounts a
// certificate (a text, or {"packed"}: its bytes in base64) of that problem; {"files": {...}} (paths) is the whole check; {"toml"} and {"json"} read a text,
// {"table", "reading"} a table, and {"model", ...} judges classes.
"use strict";

const fs = require("fs"), path = require("path"), readline = require("readline"), vm = require("vm");

new vm.Script(fs.readFileSync(process.argv[2], "utf8")).runInThisContext();
const { check, heldFacts, recheck, readCertificate, readJson, readToml, Problem, Requirement, Model, Table, Unreadable, fractionOf } = globalThis.incrowdCheck;
const problems = new Map();

function finished(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

function problemOf(said) {
  const allowed = new Set(said.allowed.map((vector) => vector.join()));
  const mask = { allows: (vector) => allowed.has(vector.join()), raised: (vector) => vector };
  const levels = said.levels.map((column) => column.map(([nodes, costs]) => [nodes, costs.map(BigInt)]));
  const made = new Problem(said.codes, said.counts, levels, mask, said.k, said.outliers, BigInt(said.scale));
  made.secret = said.secret;
  made.grids = (said.grids || []).map(([j, step, ordered, paid, numbers]) => ({
    j, step: fractionOf(step), ordered: ordered.map(fractionOf), paid: paid.map(BigInt), numbers: numbers.map(fractionOf),
  }));
  if (said.kinds_mask) {
    const left = new Set(said.kinds_mask.allowed.map((vector) => vector.join()));
    made.kindsMask = { mask: { allows: (vector) => left.has(vector.join()) }, tops: said.kinds_mask.tops };
  }
  if (said.models) {
    const plain = readJson(said.models).map(([name, settings]) => new Model(name, settings, null));
    Object.assign(made, { kinds: said.kinds, kind: said.kind, kindRows: said.kindRows });
    made.asked = plain.map((model) => new Requirement(model, said.names, said.kinds, said.kindRows));
    made.facts.set("requirements", plain.map((model) => model.rule));
  }
  return made;
}

function recounted({ name, certificate, packed, cost }) {
  try {
    const claims = packed !== undefined ? readCertificate(new Uint8Array(Buffer.from(packed, "base64"))) : readJson(certificate);
    const found = finished(recheck(problems.get(name), claims, BigInt(cost), claims.packed || null));
    return [found.wrong.length ? "violation" : "good", found.proven, String(found.cost), String(found.bound)];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return ["unreadable", false, null, null];
  }
}

function checked(files) {
  const read = (file) => file && { name: path.basename(file), bytes: new Uint8Array(fs.readFileSync(file)) };
  const { original, release, policy, certificate, others } = files;
  const found = finished(check({
    original: read(original), release: read(release), policy: read(policy), certificate: read(certificate) || null,
    others: (others || []).map(read),
  }));
  return { ...found, shown: heldFacts(found.held) };
}

/** A value that was read, as JSON: whole numbers as {"whole": text}. */
function plain(value) {
  if (typeof value === "bigint") return { whole: String(value) };
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? Object.fromEntries([...value].map(([name, entry]) => [name, plain(entry)])) : value;
}

function judged({ model, settings, names, kinds, rows, classes }) {
  const made = new Model(model, readJson(settings), null), asked = new Requirement(made, names, kinds, rows);
  return { rule: made.rule, met: classes.map((one) => asked.met(new Map(one))) };
}

function table({ table: file, reading }) {
  const made = new Table({ name: path.basename(file), bytes: new Uint8Array(fs.readFileSync(file)) }, readJson(reading));
  return { names: made.names, rows: made.rows };
}

/** The answer to a question about one part. */
function told(asked) {
  try {
    if (asked.toml !== undefined) return plain(readToml(asked.toml));
    if (asked.json !== undefined) return plain(readJson(asked.json));
    return asked.table ? table(asked) : judged(asked);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return "unreadable";
  }
}

function answered(asked) {
  if (asked.files) return checked(asked.files);
  return asked.certificate === undefined && asked.packed === undefined ? told(asked) : recounted(asked);
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.problem) problems.set(asked.name, problemOf(asked.problem));
  else process.stdout.write(`${JSON.stringify(answered(asked))}\n`);
});
