// Rows given to those that may take them: a maximum flow [R8], and one of least cost between values [V5].

/**
 * The least cost of giving every taker r its demand, where givers have as much in all; ways[r] holds what each giver
 * costs. A maximum flow uses the ways that cost two prices together; where it lacks prices move (the Hungarian method).
 */
function leastCost(supply, demand, ways) {
  const ofTaker = demand.map(() => ZERO), ofGiver = supply.map((_, o) => ways.map((own) => own.get(o)).reduce(lesser));
  const left = (r, [o, cost]) => cost.minus(ofGiver[o]).minus(ofTaker[r]);
  for (;;) {
    const tight = ways.map((own, r) => [...own].filter((way) => left(r, way).equals(ZERO)).map(([o]) => o));
    const { takers } = shortOf(supply, demand, tight);
    if (!takers.length) {
      const paid = (prices, rows) => prices.map((price, at) => price.times(fraction(rows[at])));
      return sumOf([...paid(ofGiver, supply), ...paid(ofTaker, demand)]);
    }
    const near = new Set(takers.flatMap((r) => tight[r]));
    const step = takers.flatMap((r) => [...ways[r]].filter(([o]) => !near.has(o)).map((way) => left(r, way))).reduce(lesser);
    for (const r of takers) ofTaker[r] = ofTaker[r].plus(step);
    for (const o of near) ofGiver[o] = ofGiver[o].minus(step);
  }
}

/**
 * What a maximum flow leaves every taker short of (`lacks`), and the takers that it leaves short with those whose rows
 * they could have (`takers`). fits[r] lists the givers of a taker; numbers are plain ones or BigInt.
 */
function shortOf(supply, demand, fits) {
  const left = [...supply], lacks = [...demand], flow = supply.map(() => new Map()), openFor = supply.map(() => 0);
  for (const some of fits) for (const o of some) openFor[o] += 1;
  for (const r of [...demand.keys()].sort((a, b) => fits[a].length - fits[b].length)) {
    fits[r].sort((a, b) => openFor[a] - openFor[b]);
    for (const o of fits[r]) {
      if (!lacks[r]) break;
      const amount = smaller(left[o], lacks[r]);
      left[o] -= amount;
      lacks[r] -= amount;
      if (amount) addTo(flow[o], r, amount);
    }
  }
  for (;;) { // shortest ways to what is left: from r to an o that fits, on to what o supplies
    const queue = [...lacks.keys()].filter((r) => lacks[r]);
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
    if (!ends.length) return { lacks, takers: queue };
    for (const end of ends) {
      const path = [];
      for (let o = end; o !== null; o = through.get(came.get(o))) path.push([o, came.get(o)]);
      let amount = smaller(left[end], lacks[path[path.length - 1][1]]);
      for (let at = 0; at + 1 < path.length; at += 1) amount = smaller(amount, flow[path[at + 1][0]].get(path[at][1]));
      left[end] -= amount;
      lacks[path[path.length - 1][1]] -= amount;
      for (const [o, r] of path) addTo(flow[o], r, amount);
      for (let at = 0; at + 1 < path.length; at += 1) addTo(flow[path[at + 1][0]], path[at][1], -amount);
    }
  }
}
