// Exact numbers: whole numbers are BigInt, or numbers that are known to stay below 2^53; fractions are pairs of BigInt.

/** Something cannot be read, or not by this program. */
class Unreadable extends Error {}

/** A part of a proof does not hold, so that nothing is proven. */
class Refuted extends Error {}

/** Refuse what cannot be read. */
function unreadable(text) {
  throw new Unreadable(text);
}

const absolute = (x) => (x < 0n ? -x : x);
const larger = (a, b) => (a < b ? b : a);
const smaller = (a, b) => (b < a ? b : a);
const byNumber = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const addedUp = (numbers, zero = 0) => [...numbers].reduce((a, b) => a + b, zero);

function greatestDivisor(a, b) {
  [a, b] = [absolute(a), absolute(b)];
  while (b) [a, b] = [b, a % b];
  return a;
}

/** The whole part of a / b, b above 0: rounded down, also below 0. */
function floorOf(a, b) {
  const part = a / b;
  return a % b < 0n ? part - 1n : part;
}

/** a / b rounded up, b above 0. */
const ceilingOf = (a, b) => -floorOf(-a, b);

/** A fraction in lowest terms; its denominator is above 0. */
class Fraction {
  constructor(n, d = 1n) {
    const common = d === 1n ? 1n : greatestDivisor(n, d) * (d < 0n ? -1n : 1n);
    this.n = n / common;
    this.d = d / common;
  }
  plus(other) { return new Fraction(this.n * other.d + other.n * this.d, this.d * other.d); }
  minus(other) { return new Fraction(this.n * other.d - other.n * this.d, this.d * other.d); }
  times(other) { return new Fraction(this.n * other.n, this.d * other.d); }
  over(other) { return new Fraction(this.n * other.d, this.d * other.n); }
  magnitude() { return new Fraction(absolute(this.n), this.d); }
  compare(other) { return byNumber(this.n * other.d, other.n * this.d); }
  below(other) { return this.compare(other) < 0; }
  equals(other) { return this.n === other.n && this.d === other.d; }
  floor() { return floorOf(this.n, this.d); }
  ceiling() { return ceilingOf(this.n, this.d); }
  get whole() { return this.d === 1n; }
  toString() { return this.whole ? `${this.n}` : `${this.n}/${this.d}`; }
}

const ZERO = new Fraction(0n);
const ONE = new Fraction(1n);
const fraction = (n, d = 1) => new Fraction(BigInt(n), BigInt(d));
const sumOf = (fractions) => fractions.reduce((a, b) => a.plus(b), ZERO);
const greater = (a, b) => (a.below(b) ? b : a);
const lesser = (a, b) => (b.below(a) ? b : a);

/** The least number that all denominators divide. */
const commonDenominator = (fractions) => fractions.reduce((all, { d }) => (all / greatestDivisor(all, d)) * d, 1n);

/** size times ten to a power, a fraction. */
function decimal(size, power) {
  const ten = 10n ** BigInt(Math.abs(power));
  return power < 0 ? new Fraction(size, ten) : new Fraction(size * ten);
}

const A_RATIO = /^([+-]?)(\d+(?:_\d+)*)\/(\d+(?:_\d+)*)$/;
const A_DECIMAL = /^([+-]?)(?:(\d+(?:_\d+)*)\.?(\d+(?:_\d+)*)?|\.(\d+(?:_\d+)*))(?:[eE]([+-]?\d{1,4}))?$/;

/** The fraction that a text writes ("2", "0.5", "1/3", "1e-3"), or null. */
function fractionOf(text) {
  const bare = (digits) => (digits || "").replaceAll("_", "");
  let found = A_RATIO.exec(text);
  if (found) {
    const d = BigInt(bare(found[3]));
    return d ? new Fraction(BigInt(found[1] + bare(found[2]) || "0"), d) : null;
  }
  found = A_DECIMAL.exec(text);
  if (!found) return null;
  const whole = bare(found[2]), part = bare(found[3] || found[4]), power = Number(found[5] || "0");
  if (Math.abs(power) > 999) return null;
  return decimal(BigInt(whole + part || "0") * (found[1] === "-" ? -1n : 1n), power - part.length);
}

/** A number of the policy exactly; a number with a point means the decimal that it prints as. */
function exact(value, name) {
  if (typeof value === "bigint") return new Fraction(value);
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? strip(value) : null;
  const found = text === null || text.length > 1000 ? null : fractionOf(text);
  return found || unreadable(`${name} is no number`);
}

/** A whole number of the policy, as BigInt. */
function wholeNumber(value, name, least = 0n) {
  if (typeof value === "string" && !/^[+-]?\d+(_\d+)*$/.test(strip(value))) unreadable(`${name} is no whole number`);
  const number = exact(value, name);
  if (!number.whole || number.n < least) unreadable(`${name} is no whole number of at least ${least}`);
  return number.n;
}

/** The plainest text of a fraction, as a rule of a policy is written: 2, 0.5, 1/3. */
function plainest(value) {
  if (value.whole) return String(value.n);
  // a decimal with as many digits as a float holds, and with no fewer digits than the shortest that means that float
  let digits = 0, d = value.d;
  for (const factor of [10n, 2n, 5n]) while (d % factor === 0n) [d, digits] = [d / factor, digits + 1];
  if (d !== 1n) return value.toString();
  const size = absolute(value.n * 10n ** BigInt(digits) / value.d);
  if (String(size).replace(/0+$/, "").length > 17) return value.toString();
  const text = String(Number(`${value.n < 0n ? "-" : ""}${size}e${-digits}`)), again = fractionOf(text);
  if (!again || !again.equals(value)) return value.toString();
  return decimalText(text);
}

/** The text of a number that is not whole, its power of ten written from 0.0001 down, with two digits at least. */
function decimalText(text) {
  const [, sign, mantissa, power] = /^(-?)([\d.]+)(?:e([+-]\d+))?$/.exec(text);
  const raised = (digits, by) => {
    const shown = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${sign}${shown}e-${String(by).padStart(2, "0")}`;
  };
  if (power !== undefined) return raised(mantissa.replace(".", ""), -Number(power));
  const small = /^0\.(0{4,})(\d+)$/.exec(mantissa);
  return small ? raised(small[2], small[1].length + 1) : text;
}

// ------------------------------------------------------------------------------------------------------- logarithms

const lnKnown = new Map();

/** ln(x) times 2^bits for a whole x >= 1, off by less than 2. */
const lnScaled = (x, bits) => entryOf(lnKnown, `${x} ${bits}`, () => {
  const inner = BigInt(bits + 32), one = 1n << inner;
  const series = (above, below) => { // 2 artanh(above / below), of a size: shifts of negative numbers never reach 0
    let power = (above * one) / below, sum = 0n;
    const square = (power * power) >> inner;
    for (let at = 1n; power !== 0n; at += 2n) {
      sum += power / at;
      power = (power * square) >> inner;
    }
    return 2n * sum;
  };
  const powers = x.toString(2).length - 1, two = 1n << BigInt(powers); // x = two * (1 to 2)
  // ln 2 is taken as ln(4/3) + ln(3/2), and 1 to 2 as 2/3 to 4/3 times 3/2
  const half = series(1n, 5n), ln2 = series(1n, 7n) + half, m = 2n * x - 3n * two;
  const rest = series(absolute(m), 2n * x + 3n * two) * (m < 0n ? -1n : 1n);
  return x === 1n ? 0n : (BigInt(powers) * ln2 + rest + half) >> 32n;
});

/** The sign of sum(times * ln(base)) - constant, known not to be 0: digits are added until they tell. */
function logarithmSign(powers, constant = ZERO) {
  for (let bits = 128; ; bits *= 2) {
    let total = -floorOf(constant.n << BigInt(bits), constant.d), error = 2n;
    for (const [base, times] of powers) {
      total += times * lnScaled(base, bits);
      error += absolute(times) * 2n;
    }
    if (absolute(total) > error) return total > 0n ? 1 : -1;
  }
}

/** A decimal number of so many digits next to n / d, halves to the even one (or always up), as a fraction. */
function roundedTo(digits, n, d, up = false) {
  if (n === 0n) return ZERO;
  const size = absolute(n);
  let shift = digits - (String(size).length - String(d).length) - 1;
  for (;;) {
    const [above, below] = shift < 0 ? [size, d * 10n ** BigInt(-shift)] : [size * 10n ** BigInt(shift), d];
    let whole = above / below;
    const length = String(whole).length;
    if (length !== digits) {
      shift += digits - length;
      continue;
    }
    const rest = (above % below) * 2n;
    if (up ? rest > 0n && n > 0n : rest > below || (rest === below && whole % 2n === 1n)) whole += 1n;
    return decimal(n < 0n ? -whole : whole, -shift);
  }
}

/** ln of a whole number as a decimal of 40 digits. */
const lnRounded = (x) => roundedTo(40, lnScaled(x, 400), 1n << 400n);

/** Two fractions around the logarithm of a fraction above 0 other than 1, 40 digits or so apart [V5]. */
function lnBetween(number) {
  const above = lnRounded(number.n), below = lnRounded(number.d), sum = above.minus(below);
  const total = roundedTo(40, sum.n, sum.d);
  const error = above.magnitude().plus(below.magnitude()).times(new Fraction(4n, 10n ** 39n));
  return [total.minus(error), total.plus(error)];
}

/** e^delta as a decimal of 40 digits, of delta (200 at most) rounded up to 40 digits [V5]. */
function expRounded(delta) {
  const x = roundedTo(40, delta.n, delta.d, true), bits = 900n, one = 1n << bits;
  const small = (x.n * one) / (x.d << 10n);
  let sum = one, term = one;
  for (let at = 1n; term; at += 1n) {
    term = ((term * small) >> bits) / at;
    sum += term;
  }
  for (let turn = 0; turn < 10; turn += 1) sum = (sum * sum) >> bits;
  return roundedTo(40, sum, one);
}

/** The whole part of times * ln(number). */
function floorOfLn(times, number) {
  if (times === 0n || number.equals(ONE)) return 0n;
  let guess = lnBetween(number)[0].times(new Fraction(times)).floor();
  while (logarithmSign([[number.n, times], [number.d, -times]], new Fraction(guess + 1n)) > 0) guess += 1n;
  return guess;
}
