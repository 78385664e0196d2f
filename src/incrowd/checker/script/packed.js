// A certificate of lines: gzip unpacked no further than it may go, its first line, and a price a line [Z1-Z4].
// Unpacked here and not by the browser: DecompressionStream has no limit, and engines differ in what may follow the end.

const MOST_HEAD = 65536, MOST_LINE = 21;
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const noGzip = () => unreadable("the certificate is no whole file of gzip");

/** The places of a code's symbols by the bits as they come (length in the low four bits), and how many bits these are. */
function codeOf(lengths, complete = true) {
  const most = lengths.reduce(larger, 0);
  let left = 1;
  for (let size = 1; size <= most; size += 1) {
    left = left * 2 - lengths.filter((length) => length === size).length;
    if (left < 0) noGzip();
  }
  if (left > 0 && (complete || most > 1)) noGzip();
  const places = new Int32Array(1 << most).fill(-1);
  let next = 0;
  for (let size = 1; size <= most; size += 1) {
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      if (lengths[symbol] !== size) continue;
      let turned = 0;
      for (let bit = 0; bit < size; bit += 1) turned |= ((next >> bit) & 1) << (size - 1 - bit);
      for (let at = turned; at < places.length; at += 1 << size) places[at] = symbol * 16 + size;
      next += 1;
    }
    next *= 2;
  }
  return { places, most };
}

const FIXED = [
  codeOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
  codeOf(new Array(32).fill(5)),
];

const CHECKS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** Bits of a file, lowest first. */
class Bits {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
    this.held = 0;
    this.count = 0;
  }

  /** The next bits, or those that there are, without going on. */
  ahead(count) {
    while (this.count < count && this.at < this.bytes.length) {
      this.held |= this.bytes[this.at] << this.count;
      this.at += 1;
      this.count += 8;
    }
    return this.held & ((1 << count) - 1);
  }

  take(count) {
    const found = this.ahead(count);
    if (this.count < count) noGzip();
    this.held >>>= count;
    this.count -= count;
    return found;
  }

  symbol({ places, most }) {
    const found = places[this.ahead(most)];
    if (found < 0) noGzip();
    this.take(found & 15);
    return found >> 4;
  }

  /** Go to the next whole byte. */
  align() {
    this.at -= this.count >> 3;
    this.held = 0;
    this.count = 0;
  }
}

/** What is unpacked so far; more than `most` bytes are refused. */
class Unpacked {
  constructor(most) {
    this.most = most;
    this.bytes = new Uint8Array(1 << 16);
    this.size = 0;
  }

  room(more) {
    if (this.size + more > this.most) unreadable("the certificate unpacks to more than the table has row types for");
    if (this.size + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.size + more));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }

  push(byte) {
    this.room(1);
    this.bytes[this.size] = byte;
    this.size += 1;
  }

  copy(length, distance) {
    if (distance > this.size) noGzip();
    for (let i = 0; i < length; i += 1) this.push(this.bytes[this.size - distance]);
  }
}

/** The codes of a block that brings its own. */
function ownCodes(bits) {
  const literals = bits.take(5) + 257, distances = bits.take(5) + 1, told = bits.take(4) + 4, sizes = new Array(19).fill(0);
  if (literals > 286 || distances > 30) noGzip();
  for (let i = 0; i < told; i += 1) sizes[ORDER[i]] = bits.take(3);
  const code = codeOf(sizes), lengths = [];
  while (lengths.length < literals + distances) {
    const symbol = bits.symbol(code);
    if (symbol < 16) {
      lengths.push(symbol);
      continue;
    }
    if (symbol === 16 && !lengths.length) noGzip();
    const value = symbol === 16 ? lengths[lengths.length - 1] : 0;
    const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    if (lengths.length + times > literals + distances) noGzip();
    for (let i = 0; i < times; i += 1) lengths.push(value);
  }
  if (lengths[256] === 0) noGzip();
  return [codeOf(lengths.slice(0, literals), false), codeOf(lengths.slice(literals), false)];
}

/** A number by its place among numbers that need one bit more every 2^step places, and by these bits. */
function numberAt(bits, place, step) {
  if (place < 1 << step) return place;
  const more = (place >> step) - 1, rest = place - (more << step);
  return (rest << more) + bits.take(more);
}

/** One block of symbols; it ends early where enough is there. */
function symbols(bits, out, [literals, distances], enough) {
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol === 256) return;
    if (symbol < 256) {
      out.push(symbol);
      if (enough !== null && (symbol === 10 || out.size >= enough)) return;
      continue;
    }
    if (symbol > 285) noGzip();
    const length = symbol === 285 ? 258 : 3 + numberAt(bits, symbol - 257, 2), place = bits.symbol(distances);
    if (place > 29) noGzip();
    out.copy(length, 1 + numberAt(bits, place, 1));
    if (enough !== null && out.size >= enough) return;
  }
}

/** A block as it is. */
function stored(bits, out) {
  bits.align();
  const { bytes, at } = bits, size = bytes[at] + 256 * bytes[at + 1];
  if (at + 4 > bytes.length || size !== 65535 - bytes[at + 2] - 256 * bytes[at + 3] || at + 4 + size > bytes.length) noGzip();
  out.room(size);
  out.bytes.set(bytes.subarray(at + 4, at + 4 + size), out.size);
  out.size += size;
  bits.at = at + 4 + size;
}

/** What one member of gzip without a name holds [Z1]; with `enough`, its first so many bytes or its first line at least. */
function unpacked(bytes, most, enough = null) {
  if (![0x1f, 0x8b, 8, 0].every((byte, at) => bytes[at] === byte) || bytes.length < 18) noGzip();
  const bits = new Bits(bytes, 10), out = new Unpacked(most);
  for (let last = 0; !last;) {
    last = bits.take(1);
    const kind = bits.take(2);
    if (kind === 3) noGzip();
    if (kind === 0) stored(bits, out);
    else symbols(bits, out, kind === 1 ? FIXED : ownCodes(bits), enough);
    if (enough !== null && (out.size >= enough || out.bytes.subarray(0, out.size).includes(10))) return out.bytes.subarray(0, out.size);
  }
  bits.align();
  const found = out.bytes.subarray(0, out.size), { at } = bits;
  if (at + 8 !== bytes.length) noGzip();
  let sum = -1;
  for (const byte of found) sum = (sum >>> 8) ^ CHECKS[(sum ^ byte) & 255];
  const said = new DataView(bytes.buffer, bytes.byteOffset + at, 8);
  if (said.getUint32(0, true) !== ~sum >>> 0 || said.getUint32(4, true) !== found.length) noGzip();
  return found;
}

const isPacked = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The bytes of a packed certificate's first line [Z2]. */
function firstLine(bytes) {
  const begun = unpacked(bytes, Infinity, MOST_HEAD + 1), end = begun.indexOf(10);
  if (end < 0 || end > MOST_HEAD) unreadable("the certificate's first line is too long, or does not end");
  return begun.subarray(0, end);
}

/** All that a packed certificate of so many row types holds behind its first line; its last line ends [Z1, Z2]. */
function linesBehind(bytes, types) {
  const found = unpacked(bytes, MOST_HEAD + 1 + MOST_LINE * types);
  if (found[found.length - 1] !== 10) unreadable("the certificate's last line does not end");
  return found.subarray(found.indexOf(10) + 1);
}

/** The prices, one a line [Z3]. */
function pricesOf(lines, types) {
  const found = [];
  for (let begin = 0; begin < lines.length;) {
    let end = begin;
    while (lines[end] !== 10) end += 1;
    if (end - begin > MOST_LINE || found.length === types) unreadable("the certificate: a line is no price");
    const text = String.fromCharCode(...lines.subarray(begin, end));
    if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) unreadable("the certificate: a line is no price");
    found.push(BigInt(text));
    begin = end + 1;
  }
  return numbers(found, "prices", types);
}
