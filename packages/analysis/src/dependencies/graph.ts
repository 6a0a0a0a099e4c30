import { type Components, componentsOf, type Rows, rowsOf } from './components.ts';

/** An issue of a dependency graph. */
export interface DependencyNode {
  key: string;
  isClosed: boolean;
}

/** The source has to be finished before the dependent can be: it blocks it. Both by their keys. */
export interface DependencyEdge {
  source: string;
  dependent: string;
}

/** What a dependency graph shows. */
export interface DependencyGraph<Edge extends DependencyEdge> {
  /** The edges between known issues, in their order. */
  edges: {
    edge: Edge;
    /** The source is closed: nothing waits for it any more. */
    isSatisfied: boolean;
    /** It is part of a circle, which cannot be worked off. */
    isInCycle: boolean;
  }[];
  /** The keys of the issues that wait for one another, each circle once, along its edges. */
  cycles: string[][];
  /**
   * The longest row of open issues of which each waits for the one before, by number of issues: what has to be done first
   * comes first. Issues of a circle, which cannot be done at all, are part of none. Empty when no open issue waits for an
   * open one.
   */
  longestChain: string[];
  /** The column of each issue in a drawing, from 0: further right than all it waits for; the issues of a circle share one. */
  layerOf: Map<string, number>;
}

/**
 * Reads the dependencies among issues, in linear time however long the chains are. Edges whose ends are not both among
 * the nodes are left out; an edge from an issue to itself is a circle of one. Ties go by the order of the nodes.
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

/** A graph with what it is when each component is one node. */
interface Condensed {
  graph: Rows;
  components: Components;
}

function condensed(nodes: number, edges: readonly (readonly [number, number])[]): Condensed {
  const graph = rowsOf(nodes, edges);
  return { graph, components: componentsOf(graph) };
}

/** Calls `take` for each edge between two components, those that leave a component after all that enter it. */
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

/** The longest path along these edges that meets no circle, as its nodes; empty when there is none. */
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
