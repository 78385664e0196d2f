// Rows given to those that may take them: a maximum flow [R8], and one of least cost [R9].

/**
 * The least cost of giving every taker r its demand by ways[r], givers with costs; null: there is no way. A maximum
 * flow uses the ways that cost two prices together; where it lacks prices move (the Hungarian method).
 */
function leastCost(supply, demand, ways) {
  if (ways.every((own) => [...own.values()].every((cost) => cost === ZERO))) {
    return shortOf(supply, demand, ways.map((own) => [...own.keys()])).length ? null : ZERO;
  }
  const ofGiver = supply.map(() => null), ofTaker = demand.map(() => ZERO);
  for (const own of ways) {
    for (const [o, cost] of own) if (ofGiver[o] === null || cost.below(ofGiver[o])) ofGiver[o] = cost;
  }
  for (;;) {
    const left = (r, [o, cost]) => cost.minus(ofGiver[o]).minus(ofTaker[r]);
    const tight = ways.map((own, r) => [...own].filter((way) => left(r, way).equals(ZERO)).map(([o]) => o));
    const lacking = shortOf(supply, demand, tight);
    if (!lacking.length) {
      const paid = (price, rows) => (price ? price.times(fraction(rows)) : ZERO);
      const givers = ofGiver.map((price, o) => paid(price, supply[o])), takers = ofTaker.map((price, r) => paid(price, demand[r]));
      return [...givers, ...takers].reduce((all, cost) => all.plus(cost), ZERO);
    }
    const near = new Set(lacking.flatMap((r) => tight[r]));
    let step = null;
    for (const r of lacking) {
      for (const way of ways[r]) {
        if (!near.has(way[0]) && (step === null || left(r, way).below(step))) step = left(r, way);
      }
    }
    if (step === null) return null;
    for (const r of lacking) ofTaker[r] = ofTaker[r].plus(step);
    for (const o of near) ofGiver[o] = ofGiver[o].minus(step);
  }
}

/** The takers that a maximum flow leaves short, and those whose rows they could have; `fits` has givers. */
function shortOf(supply, demand, fits) {
  const left = [...supply], lacks = [...demand], flow = supply.map(() => new Map()), openFor = supply.map(() => 0);
  for (const some of fits) for (const o of some) openFor[o] += 1;
  const move = (o, r, amount) => flow[o].set(r, (flow[o].get(r) || 0) + amount);
  for (const r of demand.map((_, at) => at).sort((a, b) => fits[a].length - fits[b].length)) {
    fits[r].sort((a, b) => openFor[a] - openFor[b]);
    for (const o of fits[r]) {
      if (!lacks[r]) break;
      const amount = Math.min(left[o], lacks[r]);
      left[o] -= amount;
      lacks[r] -= amount;
      if (amount) move(o, r, amount);
    }
  }
  while (lacks.some((lack) => lack > 0)) { // shortest ways to what is left: from r to an o that fits, on to what o supplies
    const queue = lacks.map((_, r) => r).filter((r) => lacks[r]);
    const came = new Map(), through = new Map(queue.map((r) => [r, null])), ends = [];
    for (const r of queue) {
      for (const o of fits[r]) {
        if (came.has(o)) continue;
        came.set(o, r);
        if (left[o]) ends.push(o);
        for (const [x, amount] of flow[o]) {
          if (amount && !through.has(x)) {
            through.set(x, o);
            queue.push(x);
          }
        }
      }
    }
    if (!ends.length) return queue;
    for (const end of ends) {
      const path = [];
      for (let o = end; o !== null; o = through.get(came.get(o))) path.push([o, came.get(o)]);
      let amount = Math.min(left[end], lacks[path[path.length - 1][1]]);
      for (let at = 0; at + 1 < path.length; at += 1) amount = Math.min(amount, flow[path[at + 1][0]].get(path[at][1]) || 0);
      left[end] -= amount;
      lacks[path[path.length - 1][1]] -= amount;
      for (const [o, r] of path) move(o, r, amount);
      for (let at = 0; at + 1 < path.length; at += 1) move(path[at + 1][0], path[at][1], -amount);
    }
  }
  return [];
}
