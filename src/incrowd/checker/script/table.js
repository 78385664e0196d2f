// Tables (CSV) and hierarchies (CSV): column names, rows of texts, and per value its labels level by level [T1, T3].

/** The delimiter by which most records have equally many, and more than one, fields. */
function detected(lines) {
  let best = [0, 0, 0], sign = ",";
  [...",;\t|"].forEach((delimiter, rank) => {
    const records = firstRecords(lines, delimiter, 201), widths = countsOf(records.map((record) => record.length));
    let common = 0;
    for (const [width, number] of widths) if (!common || number > widths.get(common)) common = width;
    const found = [widths.get(common) / records.length, common, -rank];
    if (common > 1 && byFirst(found, best) > 0) [best, sign] = [found, delimiter];
  });
  return sign;
}

const A_NUMBER_CELL = /^[-+]?(\p{Nd}+([.,]\p{Nd}*)?|[.,]\p{Nd}+)([eE][-+]?\p{Nd}+)?%?$/u;
const A_DATE_CELL = /^\p{Nd}{1,4}[-/.]\p{Nd}{1,2}[-/.]\p{Nd}{1,4}([ T][^\n]*)?$/u;

/** Whether the first record is more likely a row than a header. */
function looksLikeData(first, rest) {
  if (first.some((field) => A_NUMBER_CELL.test(field) || A_DATE_CELL.test(field))) return true;
  const again = first.filter((field, j) => field && rest.some((r) => r.length > j && strip(r[j]) === field)).length;
  return again * 2 >= first.length && again >= Math.min(2, first.length);
}

/** A setting of the policy's [read] that is true or false. */
function flagOf(reading, name, usual) {
  const value = entryOr(reading, name, usual);
  return value === null || typeof value === "boolean" ? value : unreadable(`${name} is neither true nor false`);
}

/** The apostrophe that spreadsheet_safe puts before a text that a spreadsheet would run [R10]. */
const A_MARK = /^'(?!'*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$)(?='*[=+\-@\t\r])/;

class Table {
  /** `file`: its name and bytes; `reading`: how it is written; `marked`: with those apostrophes. */
  constructor(file, reading, marked = false) {
    if (!/\.(csv|tsv|txt|data)$/i.test(file.name)) unreadable("this page reads tables as CSV only (.csv, .tsv, .txt, .data)");
    let lines = linesOf(decoded(file.bytes, entryOr(reading, "encoding", "utf-8")));
    const start = lines.findIndex((line) => /[^\r\n]/.test(line));
    const ends = new Set(lines.slice(0, Math.max(start, 0)));
    lines = start < 0 ? [] : lines.slice(start);
    const stripped = flagOf(reading, "strip", true), said = reading.get("delimiter");
    if (said !== undefined && !isText(said)) unreadable("delimiter is no text");
    const sign = said === undefined ? detected(lines.slice(0, 800)) : said === "\\t" || said === "tab" ? "\t" : said;
    const sample = firstRecords(lines.slice(0, 800), sign, 201);
    if (!sample.length) unreadable("a table is empty");
    const first = stripped ? sample[0].map(strip) : sample[0];
    const columns = textsOf(reading, "columns");
    if (columns.length && columns.length !== first.length) {
      unreadable("columns gives another number of names than the table has columns");
    }
    const header = flagOf(reading, "header", null);
    if (header === null && looksLikeData(sample[0].map(strip), sample.slice(1))) {
      unreadable("the first line looks like a row of data: say with header whether it names the columns");
    }
    const named = header === null || header;
    this.names = columns.length ? columns : named ? first : first.map((_, i) => `c${i + 1}`);
    if (!unique(this.names) || this.names.includes("")) unreadable("a column has no name, or two have the same");
    const bare = (text) => (marked ? text.replace(A_MARK, "") : text);
    this.names = this.names.map(bare);
    const absent = new Set(["", ...this.missing(reading)]), width = first.length;
    this.rows = [];
    let number = 0;
    for (let record of recordsOf(lines, sign, true, ends)) {
      number += 1;
      if (number === 1 && named) continue;
      if (!record.length && width === 1) record = [""];
      if (!record.length) continue;
      if (record.length !== width) unreadable("a row of a table has more or fewer fields than its first");
      this.rows.push(record.map((field) => {
        const cell = bare(stripped ? stripCell(field) : field);
        return absent.has(cell) ? null : cell;
      }));
    }
    ends.delete(""); // of a last line that ends with the file
    if (ends.size > 1) unreadable("the lines of a table do not all end alike, by LF, CRLF or CR");
  }

  missing(reading) {
    const given = entryOr(reading, "na", []);
    if (isText(given)) return [given];
    return areTexts(given) ? given : unreadable("na is no list of texts");
  }

  column(name) {
    return this.names.indexOf(name);
  }

  cellsOf(name) {
    const j = this.column(name);
    return this.rows.map((row) => row[j]);
  }

  /** The cells of every row in some columns. */
  cells(names) {
    const places = names.map((name) => this.column(name));
    return this.rows.map((row) => places.map((j) => row[j]));
  }
}

const TURNS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

/** The MD5 of a text. */
function md5(text) {
  const told = new TextEncoder().encode(text), size = (told.length + 72 >> 6) << 6, bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer), state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  bytes.set(told);
  bytes[told.length] = 128;
  view.setUint32(size - 8, told.length << 3, true);
  view.setUint32(size - 4, told.length >>> 29, true);
  for (let at = 0; at < size; at += 64) {
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i += 1) {
      const turn = i >> 4;
      const mixed = [b & c | ~b & d, b & d | c & ~d, b ^ c ^ d, c ^ (b | ~d)][turn];
      const word = view.getUint32(at + ([i, 5 * i + 1, 3 * i + 5, 7 * i][turn] & 15) * 4, true);
      const sum = a + mixed + SINES[i] + word | 0, by = TURNS[4 * turn + (i & 3)];
      [a, b, c, d] = [d, b + (sum << by | sum >>> 32 - by) | 0, b, c];
    }
    [a, b, c, d].forEach((part, i) => { state[i] = state[i] + part | 0; });
  }
  state.forEach((part, i) => view.setInt32(4 * i, part, true));
  return view.getBigUint64(0) << 64n | view.getBigUint64(8);
}

/** The sum modulo 2^128 of the MD5 of every row of a table, as 32 digits [H8]. */
function rowSumOf({ rows }) {
  let sum = 0n;
  for (const row of rows) sum += md5(row.map((cell) => (cell === null ? "n" : `${[...cell].length}:${cell}`)).join(""));
  return BigInt.asUintN(128, sum).toString(16).padStart(32, "0");
}

/** The distinct texts of a list, in the order of their bytes, a missing one first [T1]. */
const ranked = (cells) => [...new Set(cells)].sort(byBytes);

/** The lines of a hierarchy's CSV file. */
function hierarchyLines(text) {
  const first = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/).find((line) => strip(line)) || "";
  const sign = [...";\t,|"].find((one) => first.includes(one)) || ";";
  const found = firstRecords(linesOf(text), sign, Infinity, true).filter((line) => line.some((cell) => cell !== ""));
  return found.map((line) => line.map(strip));
}

class Hierarchy {
  /** The levels of one column: per value its label at level 0, 1, ... h - 1; the star stands at level h [T3]. */
  constructor(lines, values, { complete, star, levelCosts, nodeCosts }) {
    const width = lines.length ? lines[0].length : 0;
    if (!lines.length || lines.some((line) => line.length !== width)) {
      unreadable("a hierarchy has no lines, or lines of several lengths");
    }
    if (width !== 1 && lines.every((line) => line[width - 1] === "*")) lines = lines.map((line) => line.slice(0, -1));
    this.height = lines[0].length;
    const missing = values.includes(null), leaves = new Set(lines.map((line) => line[0]));
    const lacking = values.filter((value) => !leaves.has(value === null ? "NULL" : value));
    if (missing && values.includes("NULL") && leaves.has("NULL")) lacking.push("NULL");
    const [lost, there] = [lacking, values].map((some) => some.filter((value) => value !== null).length);
    if (lost && lost === there) unreadable("no value of its column is in a hierarchy");
    if (lacking.length && !complete) unreadable("a hierarchy lacks values of its column");
    const more = lacking.map((value) => new Array(this.height).fill(value === null ? "NULL" : value));
    this.lines = [...lines, ...more];
    this.check();
    if (star !== null && star !== "*" && this.lines.some((line) => line.slice(1).includes(star))) {
      unreadable("a label of a hierarchy is the star text");
    }
    this.own(levelCosts, nodeCosts);
    // where the column has missing values, the line NULL stands for them, and its NULL is shown as one
    this.shown = this.lines.map((line) => (missing && line[0] === "NULL"
      ? line.map((cell) => (cell === "NULL" ? null : cell)) : line));
    this.of = placesOf(this.shown.map(([leaf]) => leaf));
    this.ends = new Map(); // the lowest and highest level of a label
    this.first = new Map(); // and the first line that has it
    this.shown.forEach((line, i) => line.forEach((label, level) => {
      const [low, high] = entryOr(this.ends, label, [level, level]);
      this.ends.set(label, [smaller(low, level), larger(high, level)]);
      entryOf(this.first, label, () => i);
    }));
  }

  /** Refuse lines that are no tree, or a label that names two sets of values. */
  check() {
    const { lines } = this;
    if (!unique(lines.map((line) => line[0])) || this.height > 120 || lines.some((line) => line.includes("*"))) {
      unreadable("a hierarchy has a value twice, a star below its top, or too many levels");
    }
    const named = new Map();
    for (let level = 0; level < this.height; level += 1) {
      for (const [label, members] of parted(lines.keys(), (i) => lines[i][level])) {
        const again = entryOf(named, label, () => members), next = lines[members[0]][level + 1];
        const apart = level > 0 && members.some((i) => lines[i][level + 1] !== next); // nothing stands behind the last
        if (apart || !sameList(again, members)) {
          unreadable("the lines of a hierarchy are no tree, or a label names two sets of values");
        }
      }
    }
  }

  own(levels, nodes) {
    if (levels !== undefined && nodes !== undefined) unreadable("a hierarchy has costs by level and by node");
    if (levels !== undefined) {
      if (!isList(levels)) unreadable("level_costs is no list");
      levels = levels.map((cost) => exact(cost, "a level's cost"));
      if (levels.length !== this.height || levels.some((cost, i) => cost.below(i ? levels[i - 1] : ZERO))) {
        unreadable("level_costs fall, or are not one for every level");
      }
    }
    this.nodeCosts = new Map();
    if (nodes !== undefined) {
      if (!(nodes instanceof Map)) unreadable("node_costs is no table");
      const labels = new Set(["*", ...this.lines.flatMap((line) => line.slice(1))]);
      for (const [label, cost] of nodes) {
        if (!labels.has(label)) unreadable("node_costs names labels that the hierarchy does not have");
        this.nodeCosts.set(label, exact(cost, "a node's cost"));
      }
    }
    this.levelCosts = levels;
  }

  /** What every line costs at level 0, 1, ... h, as lists of fractions [T4]. */
  costs(kind, held = null) {
    if (held !== null) return held.costs(kind, this);
    const h = this.height, up = Array.from({ length: h }, (_, j) => j + 1), every = (costs) => this.lines.map(() => costs);
    if (kind === "cells") return every([ZERO, ...up.map(() => ONE)]);
    if (kind === "levels") return every([ZERO, ...up.map((level) => fraction(level, h))]);
    if (this.levelCosts !== undefined) return every([ZERO, ...this.levelCosts]);
    const last = Math.max(this.lines.length - 1, 1), below = up.map((_, j) => countsOf(this.lines.map((line) => line[j])));
    const own = (label, usual) => this.nodeCosts.get(label) || usual;
    const found = this.lines.map((line) => [
      ZERO,
      ...up.slice(0, -1).map((j) => own(line[j], fraction(below[j].get(line[j]) - 1, last))),
      own("*", ONE),
    ]);
    if (found.some((line) => line.some((cost, j) => j && cost.below(line[j - 1])))) {
      unreadable("the costs of a hierarchy fall towards its star");
    }
    return found;
  }
}

/** The hierarchy that a policy names by a CSV file, or makes by words, for a column with some values. */
function hierarchyOf(spec, values, policy) {
  const words = madeBy(spec), { complete, star } = policy;
  if (words !== null) return madeHierarchy(words, values, policy);
  const said = isText(spec) ? new Map([["file", spec]]) : spec, file = said.get("file");
  const known = ["file", "level_costs", "node_costs"];
  if (!isText(file) || !areAmong(said.keys(), known)) {
    unreadable("a hierarchy names no file, or has a word that is not known");
  }
  const levelCosts = said.get("level_costs"), nodeCosts = said.get("node_costs");
  if ((levelCosts !== undefined || nodeCosts !== undefined) && policy.cost !== "leaves") {
    unreadable("a hierarchy has costs of its own, which the policy's cost does not use");
  }
  return new Hierarchy(hierarchyLines(policy.files(file)), values, { complete, star, levelCosts, nodeCosts });
}

/** The hierarchy that words make of a column's values; a missing value is under the root [W1]. */
function madeHierarchy(words, values, { complete, star }, placed = complete) {
  const lines = words.lines(values.filter((value) => value !== null), placed);
  if (!lines.length) unreadable("a hierarchy is made of no values");
  if (values.includes(null)) lines.push(lines[0].map(() => "NULL"));
  return new Hierarchy(lines, values, { complete, star });
}
