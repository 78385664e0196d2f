// The mask: which level vectors a policy allows [T6].

class Rules {
  /** Plain rules: a level vector obeys all of them. */
  constructor(said, columns, heights) {
    if (!areAmong(said.keys(), MASK_WORDS)) unreadable("the mask has a word that is not known");
    this.heights = heights;
    const at = (column) => {
      const place = columns.indexOf(column);
      return place < 0 ? unreadable("the mask names a column that is no quasi-identifier") : place;
    };
    const level = (number, j) => {
      if (typeof number !== "bigint" || number < 0n || number > BigInt(heights[j])) {
        unreadable("the mask names a level that a column does not have");
      }
      return Number(number);
    };
    const columnsOf = (one, word) => {
      const names = isText(one) ? [one] : one;
      if (!areTexts(names) || !unique(names)) unreadable(`${word} is no list of columns, or names one twice`);
      return names.map(at);
    };
    const listed = (word) => { // the entries of a list; one that is a list of columns itself is a list of one
      const value = entryOr(said, word, []);
      if (!isList(value)) unreadable(`${word} is no list`);
      if (value.some(isText) && !areTexts(value)) unreadable(`${word} mixes columns and lists of them`);
      return value.some(isText) ? [value] : value;
    };
    const groups = (word) => {
      const found = listed(word).map((group) => columnsOf(group, word));
      if (found.some((group) => group.length < 2)) unreadable(`${word} has a group of fewer than two columns`);
      return found;
    };
    this.starsAlone = chosen(said, "full_suppression", true, false);
    const most = entryOr(said, "max_stars", BigInt(heights.length)), tops = tableOf(said, "max_level");
    if (typeof most !== "bigint" || most < 0n) unreadable("max_stars is no whole number");
    this.mostStars = Number(smaller(most, 1n << 40n));
    this.tops = columnsOf(entryOr(said, "keep", []), "keep").map((j) => [j, 0]);
    for (const [column, top] of tops) this.tops.push([at(column), level(top, at(column))]);
    [this.together, this.atMostOne, this.never] = ["together", "at_most_one", "never_together"].map(groups);
    this.listed = null;
    if (said.has("patterns")) {
      const given = said.get("patterns"), patterns = given instanceof Map ? [given] : listed("patterns");
      if (!patterns.length) unreadable("patterns lists no pattern");
      this.listed = new Map(patterns.map((one) => {
        const vector = heights.map(() => 0);
        if (one instanceof Map) {
          for (const [column, number] of one) vector[at(column)] = level(number, at(column));
        } else {
          for (const j of columnsOf(one, "patterns")) vector[j] = heights[j];
        }
        return [vector.join(), vector];
      }));
    }
  }

  /** Whether a level vector obeys the rules; that of stars alone is judged by full_suppression only. */
  allows(vector) {
    if (vector.some((level) => level > 0) && sameList(vector, this.heights)) return this.starsAlone;
    const shown = (group) => group.every((j) => vector[j] === 0), changed = (group) => group.every((j) => vector[j] > 0);
    return this.together.every((group) => shown(group) || changed(group)) && !this.tooHigh(vector)
      && (this.listed === null || this.listed.has(vector.join()));
  }

  /** Whether a rule is broken that higher levels break too. */
  tooHigh(vector) {
    const changed = (group) => group.filter((j) => vector[j] > 0).length;
    return vector.filter((level, j) => level > 0 && level === this.heights[j]).length > this.mostStars
      || this.tops.some(([j, top]) => vector[j] > top)
      || this.atMostOne.some((group) => changed(group) > 1)
      || this.never.some((group) => changed(group) === group.length);
  }

  /** Levels that every allowed vector at or above one has, but stars alone; null: there is none. */
  raised(vector) {
    let low = [...vector];
    for (let moved = true; moved;) {
      moved = false;
      for (const group of this.together) {
        for (const j of group) {
          if (low[j] === 0 && group.some((i) => low[i] > 0)) {
            if (this.heights[j] === 0) return null;
            low[j] = 1;
            moved = true;
          }
        }
      }
    }
    if (this.listed !== null) {
      const above = [...this.listed.values()].filter((one) => one.every((level, j) => level >= low[j]));
      if (!above.length) return null;
      low = low.map((_, j) => Math.min(...above.map((one) => one[j])));
    }
    return this.tooHigh(low) ? null : low;
  }
}

class Composed {
  /** Masks joined by `any` or `all`. */
  constructor(every, parts) {
    this.every = every;
    this.parts = parts;
  }

  allows(vector) {
    const allowed = (part) => part.allows(vector);
    return this.every ? this.parts.every(allowed) : this.parts.some(allowed);
  }

  raised(vector) {
    if (this.every) return this.parts.reduce((low, part) => low && part.raised(low), vector);
    const each = this.parts.map((part) => part.raised(vector)).filter((low) => low !== null);
    return each.length ? vector.map((_, j) => Math.min(...each.map((low) => low[j]))) : null;
  }
}

/** The mask that a policy describes, over some columns. */
function maskOf(said, columns, heights) {
  if (!(said instanceof Map)) unreadable("a mask is no table");
  for (const word of ["any", "all"]) {
    if (said.has(word)) {
      const parts = said.get(word);
      if (said.size > 1 || !isList(parts) || !parts.length) {
        unreadable(`a mask with '${word}' has other words, or no list of masks`);
      }
      return new Composed(word === "all", parts.map((part) => maskOf(part, columns, heights)));
    }
  }
  return new Rules(said, columns, heights);
}

/** All level vectors up to some heights, in lexicographic order: one list, again and again. */
function* vectorsUpTo(heights) {
  const vector = heights.map(() => 0);
  for (;;) {
    yield vector;
    let j = heights.length - 1;
    while (j >= 0 && vector[j] === heights[j]) {
      vector[j] = 0;
      j -= 1;
    }
    if (j < 0) return;
    vector[j] += 1;
  }
}

/** How many level vectors there are. */
const vectorsIn = (heights) => heights.reduce((all, height) => all * (height + 1), 1);
