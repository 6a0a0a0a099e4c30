import { type Components, componentsOf, type Rows, rowsOf } from './components.ts';

/** An issue of a dependency graph. */
export interface DependencyNode {
  key: string;
  isClosed: boolean;
}

/**
 * A dependency between two issues, given by their keys. The source must be finished before the
 * dependent.
 */
export interface DependencyEdge {
  source: string;
  dependent: string;
}

/** Result of analyzing a dependency graph. */
export interface DependencyGraph<Edge extends DependencyEdge> {
  /** Edges for which both issues are known, in the given order. */
  edges: {
    edge: Edge;
    /** True if the source is closed. The edge then blocks nothing. */
    isSatisfied: boolean;
    /** True if the edge is part of a cycle. Its issues have no valid order. */
    isInCycle: boolean;
  }[];
  /**
   * Keys of issues that wait for each other in a cycle, one array per cycle, in the order of its
   * edges.
   */
  cycles: string[][];
  /**
   * The longest path of open issues in which each issue waits for the previous one. Excludes the
   * issues of a cycle, because they cannot be finished. Empty if no open issue waits for another.
   */
  longestChain: string[];
  /**
   * Column of each issue in a drawing, from 0. An issue is to the right of all issues that it waits
   * for. The issues of a cycle share one column.
   */
  layerOf: Map<string, number>;
}

/**
 * Analyzes the dependencies between issues. Runs in linear time for chains of any length. Omits
 * edges with an unknown issue. An edge from an issue to itself is a cycle. Where several results
 * are equally good, the order of `nodes` decides.
 */
export function dependencyGraph<Edge extends DependencyEdge>(
  nodes: readonly DependencyNode[],
  edges: readonly Edge[],
): DependencyGraph<Edge> {
  const keys = [...new Set(nodes.map(({ key }) => key))];
  const places = new Map(keys.map((key, place) => [key, place]));
  const closed = new Set(nodes.filter(({ isClosed }) => isClosed).map(({ key }) => key));
  const known = edges.flatMap((edge) => {
    const [from, to] = [places.get(edge.source), places.get(edge.dependent)];
    return from === undefined || to === undefined ? [] : [{ edge, ends: [from, to] as const }];
  });
  const whole = condensed(
    keys.length,
    known.map(({ ends }) => ends),
  );
  const namesOf = (places: readonly number[]): string[] => places.map((place) => keys[place] ?? '');
  const ownCircles = new Set(known.flatMap(({ ends: [from, to] }) => (from === to ? [from] : [])));
  return {
    edges: known.map(({ edge, ends: [from, to] }) => ({
      edge,
      isSatisfied: closed.has(edge.source),
      isInCycle: whole.components.of[from] === whole.components.of[to],
    })),
    cycles: whole.components.members
      .filter((members) => members.length > 1 || ownCircles.has(members[0] ?? -1))
      .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
      .map(namesOf),
    longestChain: namesOf(
      longestChain(
        keys.length,
        known.flatMap(({ edge, ends }) =>
          closed.has(edge.source) || closed.has(edge.dependent) ? [] : [ends],
        ),
      ),
    ),
    layerOf: layersOf(keys, whole),
  };
}

/** A graph and its strongly connected components. */
interface Condensed {
  graph: Rows;
  components: Components;
}

function condensed(nodes: number, edges: readonly (readonly [number, number])[]): Condensed {
  const graph = rowsOf(nodes, edges);
  return { graph, components: componentsOf(graph) };
}

/**
 * Calls `take` for each edge between two components. All edges into a component precede the edges
 * out of it.
 */
function eachCondensedEdge({ graph, components }: Condensed, take: (from: number, to: number) => void): void {
  for (let from = components.members.length - 1; from >= 0; from -= 1) {
    for (const node of components.members[from] ?? []) {
      for (let edge = graph.starts[node] ?? 0; edge < (graph.starts[node + 1] ?? 0); edge += 1) {
        const to = components.of[graph.targets[edge] ?? 0] ?? 0;
        if (to !== from) take(from, to);
      }
    }
  }
}

function layersOf(keys: readonly string[], whole: Condensed): Map<string, number> {
  const layers = new Uint32Array(whole.components.members.length);
  eachCondensedEdge(whole, (from, to) => {
    layers[to] = Math.max(layers[to] ?? 0, (layers[from] ?? 0) + 1);
  });
  return new Map(keys.map((key, place) => [key, layers[whole.components.of[place] ?? 0] ?? 0]));
}

/**
 * Returns the nodes of the longest path outside of cycles. Empty if there is no edge outside of
 * cycles.
 */
function longestChain(nodes: number, edges: readonly (readonly [number, number])[]): number[] {
  const { members, of } = condensed(nodes, edges).components;
  const isCircled = Uint8Array.from({ length: nodes }, (_, node) =>
    Number((members[of[node] ?? 0]?.length ?? 0) > 1),
  );
  for (const [from, to] of edges) if (from === to) isCircled[from] = 1;
  const whole = condensed(
    nodes,
    edges.filter(([from, to]) => isCircled[from] === 0 && isCircled[to] === 0),
  );
  const nodeOf = whole.components.members.map(([node]) => node ?? 0);
  const lengths = new Uint32Array(nodes).fill(1);
  const before = new Int32Array(nodes).fill(-1);
  eachCondensedEdge(whole, (fromComponent, toComponent) => {
    const [from, to] = [nodeOf[fromComponent] ?? 0, nodeOf[toComponent] ?? 0];
    const length = (lengths[from] ?? 0) + 1;
    if (length <= (lengths[to] ?? 0)) return;
    lengths[to] = length;
    before[to] = from;
  });
  let last = -1;
  for (const [node, length] of lengths.entries()) {
    if (length > 1 && length > (lengths[last] ?? 0)) last = node;
  }
  const chain: number[] = [];
  for (let at = last; at >= 0; at = before[at] ?? -1) chain.push(at);
  return chain.reverse();
}
