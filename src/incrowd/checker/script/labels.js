// What released cells may stand for, level by level [R3].

class Labels {
  /** What some original cells show at their levels, as numbers: a column's labels are numbered from 1 on. */
  constructor(fitted, cells) {
    this.fitted = fitted;
    this.cells = cells;
    this.known = fitted.heights.map(() => new Map());
    this.codes = fitted.heights.map(() => []); // by column and level, the number of every row's label
    const sizes = fitted.heights.map((height, j) => 2 + new Set(cells.map((row) => row[j])).size * (height + 1));
    this.apart = sizes.reduce((all, size) => all * size, 1) < 2 ** 53 ? sizes : null; // else joined as texts
  }

  /** The key of a released row; 0 stands for what no original shows. */
  shown(places, row) {
    const codes = places.map((j) => this.known[j].get(row[j]) || 0);
    return this.apart ? codes.reduce((key, code, at) => key * this.apart[places[at]] + code, 0) : codes.join();
  }

  /** The keys of all original rows at some levels. */
  keys(places, levels) {
    const columns = places.map((j) => this.column(j, levels[j]));
    if (!this.apart) return this.cells.map((_, o) => columns.map((column) => column[o]).join());
    const keys = new Float64Array(this.cells.length);
    columns.forEach((column, at) => {
      const size = this.apart[places[at]];
      for (let o = 0; o < keys.length; o += 1) keys[o] = keys[o] * size + column[o];
    });
    return keys;
  }

  column(j, level) {
    if (!this.codes[j][level]) {
      const tree = this.fitted.trees[j], label = (cell) => (level ? tree.shown[tree.of.get(cell)][level] : cell);
      const known = this.known[j], next = () => known.size + 1;
      this.codes[j][level] = Int32Array.from(this.cells, (row) => entryOf(known, label(row[j]), next));
    }
    return this.codes[j][level];
  }
}
