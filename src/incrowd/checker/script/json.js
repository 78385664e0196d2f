// JSON, read so that whole numbers stay whole: BigInt without point and exponent, numbers with one, objects as Map.

const MOST_DEPTH = 900;

/** The value that a JSON text writes; doubled names, NaN and infinities are refused [F1, F2]. */
function readJson(text) {
  let at = 0;
  const wrong = () => unreadable("the certificate cannot be read as JSON, each name once in its object");
  const blank = /[ \t\n\r]*/y, number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
  const plain = /[^"\\\u0000-\u001f]*/y, signs = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

  function skip() {
    blank.lastIndex = at;
    blank.test(text);
    at = blank.lastIndex;
  }
  function string() {
    let found = "";
    for (at += 1; ;) {
      plain.lastIndex = at;
      found += plain.exec(text)[0];
      at = plain.lastIndex;
      const sign = text[at], next = text[at + 1];
      if (sign === '"') {
        at += 1;
        return found;
      }
      if (sign !== "\\" || next === undefined) wrong();
      at += 2;
      if ('"\\/'.includes(next)) {
        found += next;
      } else if (Object.hasOwn(signs, next)) {
        found += signs[next];
      } else if (next === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(at, at + 4))) {
        found += String.fromCharCode(parseInt(text.slice(at, at + 4), 16));
        at += 4;
      } else {
        wrong();
      }
    }
  }
  function value(depth) {
    if (depth > MOST_DEPTH) wrong();
    skip();
    const sign = text[at];
    if (sign === '"') return string();
    if (sign === "{" || sign === "[") return sign === "{" ? object(depth) : list(depth);
    for (const [word, meant] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meant;
      }
    }
    number.lastIndex = at;
    const found = number.exec(text);
    if (!found || found[0].length > 4300) wrong();
    at = number.lastIndex;
    return found[1] === undefined && found[2] === undefined ? BigInt(found[0]) : Number(found[0]);
  }
  /** Read what stands up to a bracket, parted by commas. */
  function upTo(end, readOne) {
    at += 1;
    skip();
    if (text[at] === end) {
      at += 1;
      return;
    }
    do {
      readOne();
      skip();
      at += 1;
    } while (text[at - 1] === ",");
    if (text[at - 1] !== end) wrong();
  }
  function list(depth) {
    const found = [];
    upTo("]", () => found.push(value(depth + 1)));
    return found;
  }
  function object(depth) {
    const found = new Map();
    upTo("}", () => {
      skip();
      if (text[at] !== '"') wrong();
      const name = string();
      skip();
      if (text[at] !== ":" || found.has(name)) wrong();
      at += 1;
      found.set(name, value(depth + 1));
    });
    return found;
  }
  const found = value(0);
  skip();
  if (at < text.length) wrong();
  return found;
}
