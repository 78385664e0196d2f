// Hierarchies that a policy makes by words, from the values of a column: intervals, dates, prefix and auto [W1-W9].

const two = (number) => String(number).padStart(2, "0"), four = (number) => String(number).padStart(4, "0");
const UNITS = new Map([ // [W4]
  ["day", ([y, m, d]) => `${four(y)}-${two(m)}-${two(d)}`],
  ["month", ([y, m]) => `${four(y)}-${two(m)}`],
  ["quarter", ([y, m]) => `${four(y)}-Q${Math.floor((m + 2) / 3)}`],
  ["year", ([y]) => four(y)],
  ["decade", ([y]) => `${Math.floor(y / 10)}0s`],
  ["century", ([y]) => `${Math.floor(y / 100)}00s`],
]);
const A_WRITTEN_NUMBER = /^([+-]?)(?:([0-9]+)\.?([0-9]*)|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/;
const A_WRITTEN_DAY = /^([0-9]{4})(?:-([0-9]{2})-([0-9]{2})|([0-9]{2})([0-9]{2})|(-?W[0-9]{2}))([^]*)$/;
const A_TIME = /^([0-9]{2})(?::([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,6})?)?)?(?:Z|[+-]([0-9]{2}):([0-9]{2}))?$/;
const MOST_PLACES = 400, MOST_CHARACTERS = 60, MOST_VALUES = 200000;

/** Whether a text has digits, or signs like them, other than 0 to 9. */
const oddDigits = (text) => /[\p{Nd}\p{No}]/u.test(text.replace(/[0-9]/g, ""));
const sizeOf = (text) => [...text].length;

/** The number that a value writes; null: it writes none [W2]. */
function numberIn(value) {
  if (oddDigits(value)) unreadable("values with digits other than 0 to 9 are not read as numbers by this page");
  const found = A_WRITTEN_NUMBER.exec(strip(value).replaceAll("_", ""));
  if (!found) return null;
  const [, sign, whole = "", inner = "", alone = "", power = ""] = found, part = inner || alone;
  const told = (whole + part).replace(/^0+/, "") || "0";
  if (told.length > MOST_PLACES || power.replace(/^[+-]?0*/, "").length > 4) return null;
  const shift = Number(power || 0) - part.length;
  if (Math.abs(shift + told.length - 1) > MOST_PLACES) return null;
  return decimal(BigInt(told) * (sign === "-" ? -1n : 1n), shift);
}

/** How many days the months of a year have. */
function monthsOf(year) {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
}

const isDay = (year, month, day) => year >= 1 && day >= 1 && day <= monthsOf(year)[month - 1];

/** The day that a value writes, as year, month and day; null: it writes none [W2]. */
function dayIn(value) {
  const found = A_WRITTEN_DAY.exec(strip(value));
  if (!found) return null;
  const [year, month, day] = [found[1], found[2] || found[4], found[3] || found[5]].map(Number), [, , , , , , week, rest] = found;
  if (!week && !isDay(year, month, day)) return null;
  if (!/^[0-9:.,+Z-]*$/.test([...rest].slice(1).join(""))) return null;
  const time = A_TIME.exec("T ".includes(rest.slice(0, 1)) ? rest.slice(1) || (rest ? "" : "00") : "");
  const [hour, minute, second, ahead, beside] = time ? time.slice(1).map((part) => Number(part || 0)) : [24, 0, 0, 0, 0];
  if (hour === 24 || week) unreadable("a value may be a date in a form that this page does not read");
  return Math.max(hour, ahead) < 24 && Math.max(minute, second, beside) < 60 ? [year, month, day] : null;
}

/** What all values write; null for one that writes nothing, where these go under the root beside others. */
function readAll(values, parse, complete) {
  const found = values.map(parse);
  const placed = complete && found.some((one) => one !== null);
  if (found.includes(null) && !placed) unreadable("a hierarchy made by words has no place for values of its column");
  return found;
}

class Intervals {
  /** Intervals of growing width [W3]. */
  constructor(widths, start = ZERO, top = null) {
    const grows = widths.every((width, i) => !i || (widths[i - 1].below(width) && width.over(widths[i - 1]).whole));
    if (!widths.length || !ZERO.below(widths[0]) || !grows) unreadable("the widths of intervals do not grow by whole factors");
    Object.assign(this, { widths, start, top });
  }

  lines(values, complete) {
    const found = readAll(values, numberIn, complete), told = found.filter((number) => number !== null);
    const ends = [...told, ...this.widths, this.start, this.top || ZERO];
    const plain = ends.every((end) => end.whole) && told.every((number) => !number.below(ZERO));
    return values.map((value, i) => [
      value, ...this.widths.map((width) => (found[i] === null ? value : this.label(found[i], width, plain))),
    ]);
  }

  /** What a number shows at a width. */
  label(number, width, plain) {
    const { start, top } = this;
    if (top && !number.below(top)) return plain && !top.below(ZERO) ? `${plainest(top)}+` : `>= ${plainest(top)}`;
    const low = start.plus(width.times(new Fraction(number.minus(start).over(width).floor())));
    let end = low.plus(width);
    if (top && top.below(end)) end = top;
    if (plain && !low.below(ZERO)) {
      return end.minus(low).equals(ONE) ? plainest(low) : `${plainest(low)}-${plainest(end.minus(ONE))}`;
    }
    return `[${plainest(low)}, ${plainest(end)})`;
  }
}

class Dates {
  /** Levels of the calendar [W4]. */
  constructor(units) {
    const places = units.map((unit) => [...UNITS.keys()].indexOf(unit));
    if (!units.length || places.some((place, i) => place < 0 || (i && place <= places[i - 1]))) {
      unreadable("dates are no growing units");
    }
    this.units = units;
  }

  lines(values, complete) {
    const days = readAll(values, dayIn, complete);
    return values.map((value, i) => [
      value, ...this.units.map((unit) => (days[i] === null ? value : UNITS.get(unit)(days[i]))),
    ]);
  }
}

/** All lengths below that of the longest list, falling. */
function shorterThan(lists) {
  const most = lists.map((list) => list.length).reduce(larger, 1);
  return Array.from({ length: most - 1 }, (_, i) => most - 1 - i);
}

class Prefix {
  /** First characters of codes [W5]. */
  constructor(lengths) {
    if (lengths.some((length, i) => i && length >= lengths[i - 1])) unreadable("prefix is no list of falling numbers");
    this.lengths = lengths;
  }

  lines(values) {
    const told = values.map((value) => [...value]), lengths = this.lengths.length ? this.lengths : shorterThan(told);
    return told.map((signs, i) => [
      values[i], ...lengths.map((length) => (signs.length <= length ? values[i] : `${signs.slice(0, length).join("")}*`)),
    ]);
  }
}

/** What a policy's words make; null where they name a file [W1]. */
function madeBy(spec) {
  let word, first, more = new Map();
  if (isText(spec)) {
    const [name, rest] = cutAt(spec, ":");
    word = name;
    if (!["intervals", "dates", "prefix"].includes(word) || (word === "intervals" && rest === null)) return null;
    first = (rest || "").split(",").map(strip).filter((part) => part);
    if (word === "intervals" && first.length && first[first.length - 1].endsWith("+")) {
      more.set("top", first.pop().slice(0, -1));
    }
    if (!first.length && word !== "intervals") first = true;
  } else {
    if (!(spec instanceof Map)) unreadable("a hierarchy is neither a text nor a table");
    const words = ["file", "intervals", "dates", "prefix"].filter((one) => spec.has(one));
    if (words.length !== 1) unreadable("a hierarchy names none, or several, of file, intervals, dates and prefix");
    [word] = words;
    if (word === "file") return null;
    first = spec.get(word);
    more = new Map([...spec].filter(([name]) => name !== word));
  }
  const allowed = word === "intervals" ? ["start", "top"] : [];
  if (!areAmong(more.keys(), allowed)) unreadable(`${word} has a setting too many`);
  const listed = isList(first) ? first : first === true && word !== "intervals" ? [] : [first];
  if (word === "intervals") {
    const [start, top] = ["start", "top"].map((name) => (more.has(name) ? exact(more.get(name), name) : undefined));
    return new Intervals(listed.map((width) => exact(width, "a width")), start, top);
  }
  if (word === "prefix") {
    return new Prefix(listed.map((length) => {
      if (!isText(length) && typeof length !== "bigint") unreadable("a length is no whole number");
      return Number(smaller(wholeNumber(length, "a length", 1n), 1n << 40n));
    }));
  }
  if (!areTexts(listed)) unreadable("dates are no growing units");
  return new Dates(first === true ? ["month", "quarter", "year", "decade"] : listed);
}

// ------------------------------------------------------------------------------------------------ what `auto` makes

const MISSING_WORDS = new Set([
  "?", "-", "--", ".", "..", "n/a", "na", "n.a.", "#n/a", "nan", "nil", "none", "null", "missing", "unknown", "unk",
  "not available", "not known", "unbekannt", "k.a.", "keine angabe", "brak", "nieznane", "inconnu", "desconocido",
]);
const asWord = (words) => new RegExp(`(^|[^\\p{L}\\p{N}]|[0-9])(${words})($|[^\\p{L}\\p{N}]|[0-9])`, "iu");
const AGE = asWord("age|ages|alter|lebensalter|wiek|edad|leeftijd|eta|years_old");
const POSTCODE = asWord("zip|zip_?code|plz|postleitzahl|post_?code|postal_?code|cap|cp");
const ICD = /^[A-Z][0-9][0-9A-Z](\.?[0-9A-Z]{1,4})?[*+!]?$/;
const ZIP = /^[0-9]{2,6}(-[0-9]{3,4})?$/;
const A_DATE_WRITTEN = /^([0-9]{4}-[0-9][0-9]-[0-9][0-9]([T ][^\n]*)?|(18|19|20|21)[0-9]{6})$/;

/** Whether nine in ten of the values are of a kind, and two at least. */
const areMost = (found, said) => found.length >= 2 && 10 * found.length >= 9 * said.length;
const written = (said, parse) => said.map(parse).filter((one) => one !== null);
const short = (said) => said.filter((value) => sizeOf(value) <= MOST_CHARACTERS);

/** A text in which case does not count. */
const folded = (text) => [...text].map((sign) => (sign === "\u0131" ? sign : sign.toUpperCase().toLowerCase())).join("");

/** What `auto` makes of a column's values, each once; null: nothing [W6]. */
function proposedFor(column, values) {
  if (values.length > MOST_VALUES) return null;
  values = [...values].sort(byBytes);
  const odd = values.some(oddDigits) || /[\u0130\u0131\u017f\u212a]/.test(column) || /\p{N}/u.test(column.replace(/[0-9]/g, ""));
  if (odd) unreadable("auto is not read of values, or names of columns, with such letters or digits");
  const said = values.map(strip).filter((value) => value && !MISSING_WORDS.has(folded(value)));
  const [spec, placed] = said.length > 1 ? suitingFor(column, said) : [null, 0];
  const marked = values.some((value) => value.endsWith("*"));
  if (spec !== null && (marked || (placed < values.length && !(spec instanceof Prefix)))) {
    const lines = spec.lines(values, true);
    try {
      new Hierarchy(lines, [], { complete: true, star: null });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return null;
    }
  }
  return spec;
}

/** The hierarchy that suits values, and how many of them have a place in it [W6]. */
function suitingFor(column, said) {
  const days = written(short(said).filter((value) => A_DATE_WRITTEN.test(value)), dayIn);
  if (areMost(days, said)) return [calendarOf(days), days.length];
  const [codes, form] = codesAmong(column, said);
  if (codes.length) return [prefixesOf(codes, form, said), codes.length];
  const numbers = written(short(said), numberIn).sort((a, b) => a.compare(b));
  return areMost(numbers, said) ? [bandsOf(column, numbers, said), numbers.length] : [null, 0];
}

/** The levels of dates [W7]. */
function calendarOf(days) {
  const kinds = new Map([...UNITS].map(([unit, label]) => [unit, new Set(days.map(label)).size]));
  const wanted = kinds.get("decade") > 1 ? ["month", "year", "decade"] : ["month", "quarter", "year"];
  const units = (kinds.get("year") > 1 ? wanted : ["month", "quarter"]).filter((unit) => kinds.get(unit) > 1);
  if (kinds.get("day") > 1 && kinds.get("day") < days.length) units.unshift("day");
  return units.length ? new Dates(units) : null;
}

/** A text with 9 for every digit and A for every letter. */
const shapeOf = (value) => value.replace(/[0-9]/g, "9").replace(/\p{L}/gu, "A");

/** The values that are codes of one form, and the form; none where these are not most [W8]. */
function codesAmong(column, said) {
  const found = (pattern) => {
    const some = short(said).filter((value) => pattern.test(value));
    return areMost(some, said) ? some : [];
  };
  const icd = found(ICD), zips = POSTCODE.test(column) ? found(ZIP) : [];
  if (icd.some((code) => code.length > 3)) return [icd, "icd"];
  if (zips.length) {
    const alike = new Set(zips.map((code) => code.length)).size === 1
      || zips.every((code) => code.length === 5 || code.includes("-"));
    return alike ? [zips, "postcode"] : [[], ""];
  }
  const likely = said.filter((value) => sizeOf(value) >= 3 && sizeOf(value) <= 12 && !value.includes(" "));
  let codes = [];
  for (const some of parted(likely, shapeOf).values()) {
    if ((some.length - codes.length || byFirst(some, codes, byBytes)) > 0) codes = some;
  }
  if (!areMost(codes, said) || !shapeOf(codes[0]).includes("9")) return [[], ""];
  const good = codes.every((value) => /^[0-9]+$/.test(value))
    ? codes[0].length > 3 && codes.some((code) => code[0] === "0")
    : shapeOf(codes[0]).includes("A") && !written(codes, numberIn).length;
  return good ? [codes, "code"] : [[], ""];
}

/** The first characters of codes [W8]. */
function prefixesOf(codes, form, said) {
  const signs = codes.map((code) => [...code]), below = shorterThan(signs);
  const usual = { icd: [3, 1], postcode: [3, 2, 1] }[form]
    || (below.length < 4 ? below : below.length === 4 ? [3, 2, 1] : [6, 4, 2]);
  const telling = below.filter((n) => new Set(signs.map((some) => some.slice(0, n).join(""))).size > 1);
  const asked = telling.filter((n) => usual.includes(n)), lengths = asked.length ? asked : telling.slice(0, 3);
  return lengths.length && (form !== "code" || said.length >= 6) ? new Prefix(lengths) : null;
}

/** Intervals of numbers, sorted ones [W9]. */
function bandsOf(column, numbers, said) {
  const cut = Math.floor(numbers.length / 20), spread = numbers[numbers.length - 1 - cut].minus(numbers[cut]);
  const human = numbers.filter((number) => !number.below(ZERO) && !fraction(130).below(number));
  const aged = AGE.test(column) && areMost(human, numbers);
  const widths = (...some) => some.map((number) => fraction(number));
  if (aged && (!spread.below(fraction(20)) || numbers.length < 6)) return new Intervals(widths(5, 10, 20), ZERO, fraction(90));
  if (said.length < 6 || spread.below(fraction(1, 10 ** 9)) || fraction(10 ** 15).below(spread)) return null;
  const size = spread.over(fraction(25)), least = [1, 2, 5, 10].map((n) => powerIn(size).times(fraction(n))).find((x) => !x.below(size));
  if ((aged || numbers.every((number) => number.whole)) && !ONE.below(least)) {
    return new Intervals(fraction(10).below(spread) ? widths(2, 10) : widths(2));
  }
  const unit = powerIn(least), digit = Number(least.over(unit).floor());
  return new Intervals({ 1: [1, 5, 10], 2: [2, 10, 20], 5: [5, 10, 20] }[digit].map((n) => unit.times(fraction(n))));
}

/** The greatest power of ten that is no more than a size. */
function powerIn(size) {
  const power = decimal(1n, String(size.n).length - String(size.d).length);
  return size.below(power) ? power.over(fraction(10)) : power;
}
