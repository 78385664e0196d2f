// TOML as far as policies are written in it: keys, tables, tables in lists, texts on one line, whole numbers, decimals,
// true, false, lists and inline tables. Whatever else TOML knows (dates, texts of several lines ...) is refused.

/** The document of a TOML text: tables as Map, whole numbers as BigInt. */
function readToml(text) {
  let at = 0;
  const document = new Map(), fixed = new Set(), defined = new Set(); // fixed: written as values, defined: by a header
  let table = document;
  const wrong = () => unreadable("the policy cannot be read as TOML, or uses what policies are not written with");
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const BLANK = /[ \t]*/y, LINE_END = /(?:#[^\n\r]*)?(?:\r?\n|$)/y, BETWEEN = /(?:[ \t]|\r?\n|#[^\n\r]*(?=\r?\n|$))*/y;
  const NUMBER = /[+-]?(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:(\.[0-9]+(?:_[0-9]+)*)?([eE][+-]?[0-9]+)?)(?=[\s,\]}#]|$)/y;
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)/.test(text)) wrong();

  function quoted() {
    const sign = text[at];
    if (text.startsWith(sign.repeat(3), at)) wrong();
    if (sign === "'") {
      const found = match(/'([^'\n\r]*)'/y);
      return found ? found[1] : wrong();
    }
    const found = match(/"((?:[^"\\\n\r]|\\[btnfr"\\]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*)"/y);
    if (!found) wrong();
    const signs = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };
    return found[1].replace(/\\(?:u(.{4})|U(.{8})|(.))/g, (_, short, long, sign) => {
      if (sign) return signs[sign];
      const code = parseInt(short || long, 16);
      return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? wrong() : String.fromCodePoint(code);
    });
  }
  function key() {
    match(BLANK);
    if (text[at] === '"' || text[at] === "'") return quoted();
    const found = match(/[A-Za-z0-9_-]+/y);
    return found ? found[0] : wrong();
  }
  /** Read a key and its value into a table. */
  function pair(where, depth) {
    const name = key();
    match(BLANK);
    if (text[at] !== "=") wrong(); // a dotted key too
    at += 1;
    match(BLANK);
    const found = value(depth);
    if (where.has(name)) wrong();
    where.set(name, found);
    match(BLANK);
  }
  function value(depth) {
    if (depth > 60) wrong();
    const sign = text[at];
    if (sign === '"' || sign === "'") return quoted();
    if (sign === "[") return list(depth);
    if (sign === "{") return inline(depth);
    const word = match(/(true|false)(?=[\s,\]}#]|$)/y);
    if (word) return word[1] === "true";
    const found = match(NUMBER);
    if (!found || found[0].length > 1000) wrong();
    const bare = found[0].replaceAll("_", "");
    if (found[1] !== undefined || found[2] !== undefined) {
      const number = Number(bare);
      return Number.isFinite(number) ? number : wrong();
    }
    return BigInt(bare.replace("+", ""));
  }
  function list(depth) {
    const found = [];
    fixed.add(found);
    at += 1;
    for (;;) {
      match(BETWEEN);
      if (text[at] === "]") break;
      found.push(value(depth + 1));
      match(BETWEEN);
      if (text[at] === ",") at += 1;
      else if (text[at] !== "]") wrong();
    }
    at += 1;
    return found;
  }
  function inline(depth) {
    const found = new Map();
    fixed.add(found);
    at += 1;
    match(BLANK);
    if (text[at] === "}") {
      at += 1;
      return found;
    }
    do {
      pair(found, depth + 1);
      at += 1;
    } while (text[at - 1] === ",");
    return text[at - 1] === "}" ? found : wrong();
  }
  function header() {
    const many = text.startsWith("[[", at), path = [];
    at += many ? 2 : 1;
    for (;;) {
      path.push(key());
      match(BLANK);
      if (text[at] !== ".") break;
      at += 1;
    }
    if (!text.startsWith(many ? "]]" : "]", at)) wrong();
    at += many ? 2 : 1;
    let where = document;
    for (const name of path.slice(0, -1)) {
      where = entryOf(where, name, () => new Map());
      if (fixed.has(where)) wrong();
      if (isList(where)) where = where[where.length - 1];
      if (!(where instanceof Map)) wrong();
    }
    const last = path[path.length - 1];
    table = new Map();
    if (many) {
      const tables = entryOf(where, last, () => []);
      if (!isList(tables) || fixed.has(tables)) wrong();
      tables.push(table);
    } else if (where.has(last)) {
      table = where.get(last);
      if (!(table instanceof Map) || fixed.has(table) || defined.has(table)) wrong();
    } else {
      where.set(last, table);
    }
    defined.add(table);
  }
  while (at < text.length) {
    match(BLANK);
    if (match(LINE_END)) continue;
    if (text[at] === "[") header();
    else pair(table, 0);
    match(BLANK);
    if (!match(LINE_END)) wrong();
  }
  return document;
}
