// Texts: bytes to characters, the order of UTF-8 bytes, and CSV.

const isText = (value) => typeof value === "string";
const areTexts = (value) => isList(value) && value.every(isText);

/** What stands before the first sign of a kind in a text, and behind it (null: there is none). */
function cutAt(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

const PYTHON_BLANKS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const OUTER_BLANKS = new RegExp(`^[${PYTHON_BLANKS}]+|[${PYTHON_BLANKS}]+$`, "g");

/** A text without blanks of any kind at its ends. */
const strip = (text) => text.replace(OUTER_BLANKS, "");

/** A cell without the blanks that tables are written with at its ends. */
const stripCell = (text) => text.replace(/^[ \t\n\r\v\f]+|[ \t\n\r\v\f]+$/g, "");

/** The text of UTF-8 bytes. */
function utf8(bytes, what) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return unreadable(`${what} is no UTF-8 text`);
  }
}

/** The text of a file's bytes; byte marks at its start are left out. */
function decoded(bytes, encoding = "utf-8") {
  if (!isText(encoding)) unreadable("the policy's encoding is no text");
  const name = encoding.toLowerCase().replaceAll("_", "-");
  let text = null;
  if (["utf-8", "utf8", "utf-8-sig"].includes(name)) {
    text = utf8(bytes, "a file").replace(/^\ufeff{1,2}/, "");
  } else if (["latin-1", "latin1", "iso-8859-1", "iso8859-1", "ascii", "us-ascii"].includes(name)) {
    if (name.endsWith("ascii") && bytes.some((byte) => byte > 127)) unreadable("a file cannot be read as ASCII text");
    const parts = [];
    for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
    text = parts.join("");
  } else {
    unreadable("this page reads UTF-8, Latin-1 and ASCII only");
  }
  if (text.includes("\0")) unreadable("a file holds zero bytes: it is no text");
  return text;
}

/** The order of two texts by their UTF-8 bytes, a missing one (null) first [T1]. */
function byBytes(a, b) {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at), y = b.charCodeAt(at);
    if (x !== y) {
      // two halves of one sign stand for a number above all others
      const high = (unit) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
      return high(x) - high(y);
    }
  }
  return a.length - b.length;
}

/** The distinct texts of a list in their order, and the place of every text's own among them. */
function coded(cells) {
  const values = ranked(cells), place = placesOf(values);
  return [values, cells.map((cell) => place.get(cell))];
}

/** The lines of a text, each with its end. */
const linesOf = (text) => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) || [];

/**
 * The records of CSV lines, an empty line as an empty record. A quote opens a field at its start only and is written
 * doubled inside; if strict, one that is not closed, or goes on after its end, is refused. `ends` takes in what the
 * records end with.
 */
function* recordsOf(lines, delimiter, strict, ends = new Set()) {
  if (delimiter.length !== 1 || '\r\n"'.includes(delimiter)) unreadable("a delimiter is one sign other than a quote");
  const wrong = "a table is no CSV: a quote is not closed or not doubled";
  let record = [], parts = null; // parts: of a quoted field that is still open
  for (const line of lines) {
    const body = line.replace(/[\r\n]+$/, "");
    if (parts === null && body === "") {
      ends.add(line);
      yield [];
      continue;
    }
    let at = 0, more = true;
    while (more) {
      let field;
      if (parts === null && body[at] !== '"') {
        const end = body.indexOf(delimiter, at);
        field = end < 0 ? body.slice(at) : body.slice(at, end);
        more = end >= 0;
        at = end + 1;
      } else {
        if (parts === null) {
          parts = [];
          at += 1;
        }
        let end = line.indexOf('"', at);
        while (end >= 0 && line[end + 1] === '"') {
          parts.push(line.slice(at, end + 1));
          at = end + 2;
          end = line.indexOf('"', at);
        }
        if (end < 0) { // goes on in the next line
          parts.push(line.slice(at));
          break;
        }
        parts.push(line.slice(at, end));
        at = end + 1;
        const next = body.indexOf(delimiter, at), rest = next < 0 ? body.slice(at) : body.slice(at, next);
        if (strict && rest) unreadable(wrong);
        field = parts.join("") + rest;
        parts = null;
        more = next >= 0;
        at = next + 1;
      }
      record.push(field);
    }
    if (parts === null) {
      ends.add(line.slice(body.length));
      yield record;
      record = [];
    }
  }
  if (parts !== null) {
    if (strict) unreadable(wrong);
    record.push(parts.join(""));
    yield record;
  }
}

/** The first records of CSV lines, without empty ones. */
function firstRecords(lines, delimiter, most = Infinity, strict = false) {
  const found = [];
  for (const record of recordsOf(lines, delimiter, strict)) {
    if (record.length) found.push(record);
    if (found.length >= most) break;
  }
  return found;
}
