// What the page shows: files in, the verdict in words. Texts of files become texts of the page, never parts of it.

const SLICE = 60; // milliseconds of work before the page is drawn again

/** What a broken rule means, in a sentence. */
function sentenceOf(rule, k) {
  const lacks = /^columns: missing number (\d+)$/.exec(rule), claim = /^certificate: (.*)$/.exec(rule);
  if (lacks) return `The release lacks a column: number ${lacks[1]} of those that the policy keeps.`;
  if (claim) return CLAIMS.get(claim[1]) || `The certificate is about something else: what it says under "${claim[1]}" is wrong.`;
  if (/^k=\d+$/.test(rule)) return `A class of equal rows has fewer than ${k} rows.`;
  return BROKEN.get(rule) || `A class does not meet what is asked beside k: ${visible(rule)}.`;
}

const BROKEN = new Map([
  ["columns: others than those kept, or in another order", "The release has other columns than those kept, or has them in another order."],
  ["rows", "The release has not as many rows as the original."],
  ["mask", "A row is changed in columns, or at levels, that the mask does not allow together."],
  ["invented value", "A cell of a quasi-identifier shows what its column never held."],
  ["faithful", "The released rows cannot each have come from an original row of its own."],
]);
const CLAIMS = new Map([
  ["released_sum", "The certificate is of another release."],
  ["cost", "The certificate claims another cost than the release has."],
  ["proof", "The certificate's proof does not hold: an inequality in it is wrong."],
  ["lower_bound", "The certificate claims a larger lower bound than it proves, or than the release costs."],
  ["lower_bound_checked", "The certificate says that more of its bound can be recounted than can be."],
]);

const HEADS = {
  good: "Good",
  violation: "Refused",
  unreadable: "Unreadable: no verdict",
};

/** What a verdict means, in sentences. */
function meaningOf({ verdict, why, facts }) {
  if (verdict === "unreadable") return `Nothing is said about the release: ${visible(why)}.`;
  if (verdict === "violation") return "Something that is asked or claimed does not hold:";
  const good = "The release is what the policy asks for, recounted cell by cell against the original.";
  if (facts === null) return `${good} No certificate was given, so nothing is said about cheaper releases.`;
  const asked = facts.question === "2-diversity" ? "2-diversity (no sensitive value in more than half of a class)"
    : facts.question.replace("k-anonymity", `k-anonymity with k = ${facts.k}`);
  const bound = `No release of this table with ${asked}, under the policy's mask, costs less than ${facts.bound}.`;
  if (!facts.proven) return `${good} ${bound} That is recounted; what the certificate claims beyond it is a solver's word.`;
  const least = facts.bound === facts.cost ? " So this release has the least cost there is." : "";
  return `${good} Proven: ${bound}${least}`;
}

/** A text in which signs that nobody sees, or that turn the way of reading, are seen. */
const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "\ufffd");

/** What a release was held to, as names and texts of a list. */
function heldFacts(held) {
  if (!held) return [];
  const named = (columns) => columns.map(({ name, role }) => (role === "sensitive" ? `${name} (sensitive)` : name)).join(", ");
  const near = held.kept_columns.filter(({ role, nearly_unique: alone }) => alone && role === "other");
  const said = [
    ["asked", [`k = ${held.k}`, ...held.asked].join("; ")],
    ["columns that counted", held.quasi_identifiers.join(", ")],
    ["passed unchanged", named(held.kept_columns) || "no other column"],
  ];
  if (held.kept_columns.length) said.push(["unlike any other on these", `${held.kept_unique_rows} of ${held.rows} rows`]);
  if (held.telling) {
    said.push(["warning", `who knows columns without a role finds people${near.length ? `: nearly unique: ${named(near)}` : ""}`]);
  }
  return said.map(([name, text]) => [name, visible(text)]);
}

/** Run the check in slices, so that the page stays alive; `tell` hears how far it is. */
async function inSlices(work, tell) {
  for (let start = performance.now(); ;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - start > SLICE) {
      tell(value);
      await new Promise((resume) => setTimeout(resume));
      start = performance.now();
    }
  }
}

function startPage() {
  const at = (id) => document.getElementById(id), answer = at("answer"), progress = at("progress");
  const given = async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  const listed = (id) => Promise.all([...at(id).files].map(given));
  const element = (kind, text) => Object.assign(document.createElement(kind), { textContent: text });
  const row = (name, text) => [element("dt", name), element("dd", text)];

  function show(found) {
    const warned = found.verdict === "good" && found.held.telling;
    answer.className = warned ? "warned" : found.verdict;
    at("verdict").textContent = warned ? "Good, with a warning" : HEADS[found.verdict];
    at("meaning").textContent = meaningOf(found);
    at("reasons").replaceChildren(...found.violations.map((rule) => element("li", sentenceOf(rule, found.k))));
    const { facts } = found;
    at("facts").replaceChildren(...heldFacts(found.held).flatMap(([name, text]) => row(name, text)), ...facts === null ? [] : [
      ...row("cost of the release", facts.cost === null ? "not known: a column is missing" : facts.cost),
      ...row("proven lower bound", facts.bound),
      ...row("whole claim proven", facts.proven ? "yes" : "no"),
      ...row("about", `${facts.question}, k = ${facts.k}`),
    ]);
    answer.hidden = false;
  }

  async function run() {
    const missing = ["original", "release", "policy"].filter((id) => !at(id).files.length);
    answer.hidden = true;
    if (missing.length) {
      progress.textContent = `Give the ${missing.join(", the ")} first.`;
      return;
    }
    at("start").disabled = true;
    progress.textContent = "Reading the files";
    let found;
    try {
      const [[original], [release], [policy], [certificate], others] = await Promise.all(
        ["original", "release", "policy", "certificate", "others"].map(listed),
      );
      const work = check({ original, release, policy, certificate: certificate || null, others });
      found = await inSlices(work, (what) => { progress.textContent = `Checking ${what}`; });
    } catch (error) {
      found = { verdict: "unreadable", why: `a file could not be read (${error.name})`, violations: [], facts: null };
    }
    show(found);
    progress.textContent = "";
    at("start").disabled = false;
  }

  at("start").addEventListener("click", run);
  for (const slot of document.querySelectorAll(".file")) {
    const input = slot.querySelector("input");
    input.addEventListener("change", () => { answer.hidden = true; });
    slot.addEventListener("dragover", () => slot.classList.add("over"));
    slot.addEventListener("dragleave", () => slot.classList.remove("over"));
    slot.addEventListener("drop", (event) => {
      slot.classList.remove("over");
      if (!event.dataTransfer.files.length || at("start").disabled) return;
      input.files = event.dataTransfer.files;
      answer.hidden = true;
    });
  }
  for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
}

if (typeof document !== "undefined") startPage();
else globalThis.incrowdCheck = { check, heldFacts, recheck, readCertificate, readJson, readToml, Problem, Requirement, Model, Table, Unreadable, fractionOf };
