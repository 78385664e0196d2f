// Costs that look at what the table holds of a column: its rows by value, and by the values of targets [T4].

const COSTS = ["leaves", "cells", "levels", "ncp", "entropy", "workload"];
const LOOKING = ["entropy", "workload"]; // these look at every value of every column
const MILLION = 1000000n;

/** The name of a cost, and the file of its queries (null: it has none). */
function workloadFile(cost) {
  if (!isText(cost)) unreadable("cost is no text");
  const [name, file] = cutAt(cost, ":");
  if ((name === "workload") !== (file !== null) || file === "") {
    unreadable("cost is no workload with a file, and no other without one");
  }
  return [choice(name, "cost", ...COSTS), file];
}

/** The queries of a workload: columns, weight and target (null: rows are counted). */
function queriesOf(text) {
  const said = readToml(text), queries = said.get("query");
  if (new TextEncoder().encode(text).length > 1 << 20 || said.size !== 1 || !isList(queries) || !queries.length || queries.length > 1000) {
    unreadable("the workload is no list of 1 to 1000 queries in at most 1 MiB");
  }
  return queries.map((one) => {
    const known = ["columns", "weight", "target"];
    const good = one instanceof Map && areAmong(one.keys(), known);
    let columns = good ? one.get("columns") : null;
    if (isText(columns)) columns = [columns];
    const target = good ? entryOr(one, "target", null) : null;
    if (!areTexts(columns) || !columns.length || !unique(columns) || !(target === null || isText(target))) {
      unreadable("a query of the workload has no columns, or something else than columns, weight and target");
    }
    const weight = exact(entryOr(one, "weight", 1n), "a query's weight");
    if (!ZERO.below(weight)) unreadable("a query's weight is not above 0");
    return { columns, weight, target };
  });
}

const PLAIN_NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$/;

/** The number that a cell writes, or null. */
const plainNumber = (text) => (text.length <= 1000 && PLAIN_NUMBER.test(text) ? fractionOf(text) : null);

const bitsKnown = new Map();

/** log2 of a whole number in millionths, rounded down; 0 of 0. */
const microBits = (number) => entryOf(bitsKnown, number, () => {
  if (number === 0) return 0n;
  const whole = number.toString(2).length - 1, big = BigInt(number);
  if (2 ** whole === number) return BigInt(whole) * MILLION;
  let parts = BigInt(Math.floor(Math.log2(number) * 1e6)); // about: the sign of a sum of logarithms tells which it is
  while (logarithmSign([[big, MILLION], [2n, -parts - 1n]]) > 0) parts += 1n;
  while (logarithmSign([[big, MILLION], [2n, -parts]]) < 0) parts -= 1n;
  return parts;
});

/** N log2 N - sum of n log2 n, for N rows of which n have each value, in millionths. */
function spreadOf(rows) {
  const total = addedUp(rows.values());
  return [...rows.values()].reduce((sum, n) => sum - BigInt(n) * microBits(n), BigInt(total) * microBits(total));
}

class Held {
  /** What a table holds of a column. */
  constructor(policy, column, original) {
    const at = original.column(column);
    this.rows = countsOf(original.cellsOf(column));
    this.numeric = policy.numeric.includes(column);
    this.counting = ZERO;
    this.telling = [];
    for (const { columns, weight, target } of policy.queries) {
      if (target !== null && !original.names.includes(target)) unreadable("a target is no column of the original");
      if (!columns.includes(column)) continue;
      if (target === null) {
        this.counting = this.counting.plus(weight);
        continue;
      }
      const told = new Map([...this.rows.keys()].map((value) => [value, new Map()])), other = original.column(target);
      for (const row of original.rows) addTo(told.get(row[at]), row[other], 1);
      if (addedUp([...told.values()].map((some) => some.size)) > 1e6) {
        unreadable("a column and a target have too many pairs of values");
      }
      this.telling.push({ weight, told });
    }
  }

  /** What every line of a tree costs at level 0, 1, ... h. */
  costs(kind, tree) {
    const rowsOf = (i) => this.rows.get(tree.shown[i][0]) || 0, every = [...tree.shown.keys()];
    const bits = (rows) => new Fraction(microBits(rows), MILLION);
    const levels = [every.map((i) => (kind === "entropy" ? bits(rowsOf(i)) : ZERO))];
    for (let level = 1; level <= tree.height; level += 1) {
      const labels = tree.lines.map((line) => (level === tree.height ? "*" : line[level])), found = new Map();
      for (const [label, below] of parted(every, (i) => labels[i])) {
        const lines = below.filter(rowsOf), values = lines.map((i) => tree.shown[i][0]), before = levels[level - 1];
        if (kind === "ncp") found.set(label, level === tree.height ? ONE : this.penalty(values));
        else if (kind === "entropy") found.set(label, bits(addedUp(lines.map(rowsOf))));
        else found.set(label, lines.map((i) => before[i]).reduce(greater, this.lost(values)));
      }
      levels.push(labels.map((label) => found.get(label)));
    }
    return every.map((i) => levels.map((level) => level[i]));
  }

  /** The share of the column's values, or of their width if it is numeric, that some values are. */
  penalty(values) {
    if (!this.numeric) return fraction(values.length > 1 ? values.length : 0, this.rows.size);
    const width = (some) => {
      const numbers = some.map(plainNumber);
      if (numbers.includes(null)) unreadable("a numeric column holds what is no decimal number");
      return numbers.reduce(greater).minus(numbers.reduce(lesser));
    };
    const numbers = values.filter((value) => value !== null);
    if (!numbers.length || numbers.length < values.length) return numbers.length ? ONE : ZERO;
    const whole = width([...this.rows.keys()].filter((value) => value !== null));
    return ZERO.below(whole) ? width(numbers).over(whole) : ZERO;
  }

  /** What the workload's queries lose where some values are one. */
  lost(values) {
    if (!values.length) return ZERO;
    const size = BigInt(values.length);
    let cost = this.counting.times(new Fraction((size - 1n) * MILLION / size, MILLION));
    for (const { weight, told } of this.telling) {
      const apart = values.map((value) => told.get(value)), joined = new Map();
      for (const some of apart) for (const [other, n] of some) addTo(joined, other, n);
      const grown = floorOf(apart.reduce((sum, some) => sum - spreadOf(some), spreadOf(joined)), BigInt(addedUp(joined.values())));
      cost = cost.plus(weight.times(new Fraction(larger(grown, 0n), MILLION)));
    }
    return cost;
  }
}
