// Lists and maps.

const isList = Array.isArray;
const unique = (values) => new Set(values).size === values.length;
const areAmong = (some, all) => [...some].every((one) => all.includes(one));
const sameList = (one, other) => one.length === other.length && one.every((value, at) => value === other[at]);

/** The places of values in a list, by value. */
const placesOf = (values) => new Map(values.map((value, at) => [value, at]));

/** The order of two lists by what stands where they first differ. */
function byFirst(one, other, order = byNumber) {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at < 0 ? 0 : order(one[at], other[at]);
}

/** What a map holds under a key, or what is usual there. */
const entryOr = (map, key, usual) => (map.has(key) ? map.get(key) : usual);

/** What a map holds under a key; it is made where there is nothing yet. */
function entryOf(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

const newList = () => [];

/** Add a number to the one that a map holds under a key. */
const addTo = (map, key, number) => map.set(key, map.has(key) ? map.get(key) + number : number);

/** How often every value occurs. */
function countsOf(values) {
  const found = new Map();
  for (const value of values) addTo(found, value, 1);
  return found;
}

/** Values in lists, by what a function says of each. */
function parted(values, key) {
  const parts = new Map();
  for (const value of values) {
    const name = key(value), part = parts.get(name);
    if (part === undefined) parts.set(name, [value]);
    else part.push(value);
  }
  return parts;
}

/** One text for a list of texts (or null), another for every other list of that length. */
const keyOf = (cells) => cells.map((cell) => (cell === null ? "-" : `+${cell}`)).join("\0");

/** How often every list of texts occurs: [lists, numbers], in the order of their first places. */
function countedLists(lists) {
  const alike = [...parted(lists, keyOf).values()];
  return [alike.map(([list]) => list), alike.map((some) => some.length)];
}
