/**
 * A directed graph. The edges from node n lead to `targets[starts[n]]` up to, but excluding,
 * `targets[starts[n + 1]]`.
 */
export interface Rows {
  starts: Uint32Array;
  targets: Uint32Array;
}

/** Builds a graph with `nodes` nodes. The edges of each node keep their order. */
export function rowsOf(nodes: number, edges: readonly (readonly [from: number, to: number])[]): Rows {
  const starts = new Uint32Array(nodes + 1);
  for (const [from] of edges) starts[from + 1] = (starts[from + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node += 1)
    starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const next = starts.slice();
  const targets = new Uint32Array(edges.length);
  for (const [from, to] of edges) {
    const place = next[from] ?? 0;
    targets[place] = to;
    next[from] = place + 1;
  }
  return { starts, targets };
}

/** Strongly connected components. Each node of a component can reach all other nodes of it. */
export interface Components {
  /**
   * Number of each node's component. If edges lead from one component to another, the first has the
   * higher number.
   */
  of: Uint32Array;
  /**
   * Nodes of each component, in the order of a depth-first walk from the node with the lowest
   * number. The nodes of a simple cycle are therefore in the order of the cycle.
   */
  members: number[][];
}

/**
 * Finds the strongly connected components of a graph (Tarjan 1972). Runs in linear time and without
 * recursion.
 */
export function componentsOf(graph: Rows): Components {
  const nodes = graph.starts.length - 1;
  const of = new Uint32Array(nodes);
  const order = new Uint32Array(nodes);
  const lowest = new Uint32Array(nodes);
  const isOpen = new Uint8Array(nodes);
  const next = graph.starts.slice(0, nodes);
  const open: number[] = [];
  let met = 0;
  let found = 0;
  for (let root = 0; root < nodes; root += 1) {
    const path = order[root] === 0 ? [root] : [];
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (order[node] === 0) {
        met += 1;
        order[node] = met;
        lowest[node] = met;
        isOpen[node] = 1;
        open.push(node);
      }
      const edge = next[node] ?? 0;
      if (edge < (graph.starts[node + 1] ?? 0)) {
        const target = graph.targets[edge] ?? 0;
        next[node] = edge + 1;
        if (order[target] === 0) path.push(target);
        else if (isOpen[target] === 1) lowest[node] = Math.min(lowest[node] ?? 0, order[target] ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent] ?? 0, lowest[node] ?? 0);
      if (lowest[node] !== order[node]) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        of[member] = found;
        isOpen[member] = 0;
        if (member === node) break;
      }
      found += 1;
    }
  }
  return { of, members: walks(graph, of, found) };
}

/**
 * Returns the nodes of each component, in the order of a depth-first walk from the node with the
 * lowest number.
 */
function walks(graph: Rows, of: Uint32Array, count: number): number[][] {
  const members: number[][] = Array.from({ length: count }, () => []);
  const isMet = new Uint8Array(of.length);
  for (let first = 0; first < of.length; first += 1) {
    const component = of[first] ?? 0;
    const ahead = isMet[first] === 1 ? [] : [first];
    for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
      if (isMet[node] === 1) continue;
      isMet[node] = 1;
      members[component]?.push(node);
      for (let edge = (graph.starts[node + 1] ?? 0) - 1; edge >= (graph.starts[node] ?? 0); edge -= 1) {
        const target = graph.targets[edge] ?? 0;
        if (of[target] === component && isMet[target] === 0) ahead.push(target);
      }
    }
  }
  return members;
}
