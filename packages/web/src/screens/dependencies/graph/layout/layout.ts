import { groupsOf } from './groups.ts';
import { orderColumns } from './order.ts';
import { spreadColumns } from './spread.ts';

/** An issue to draw. `key` decides which of two comes first, all else being equal. */
export type LayoutNode = {
  id: string;
  key: string;
  /** Column, from 0: further right than all it waits for, but for circles. */
  layer: number;
};
export type LayoutEdge = { source: string; dependent: string };
export type Point = { x: number; y: number };

export type GraphLayout = {
  /** Upper left corners, by the nodes' ids. */
  places: ReadonlyMap<string, Point>;
  /**
   * For each edge, in their order, the points it goes through: from the right side of its source to
   * the left side of its dependent (the right side where both stand in one column), and between
   * them both sides of every column it crosses. Null for an edge whose ends are not both nodes.
   */
  routes: readonly (readonly Point[] | null)[];
  width: number;
  height: number;
};

/** Pixels at scale 1. */
export const NODE = { width: 208, height: 52, gapX: 76, gapY: 16 } as const;
/** How high the way of an edge through a column is. */
const LANE = 14;
/** Groups that are not as wide stand side by side, up to so many columns. */
const COLUMNS_ABREAST = 5;
const GROUP_GAP = 36;
/** Space for edges within the last column. */
const BEND_ROOM = 64;

const STEP = NODE.width + NODE.gapX;
const collator = new Intl.Collator('en', { numeric: true });

function byKey(one: LayoutNode, other: LayoutNode): number {
  return collator.compare(one.key, other.key) || (one.id < other.id ? -1 : 1);
}

/** An entry of a column: a node, or an edge that passes through. */
export type Entry = { name: string; height: number };

type DrawnGroup = {
  places: Map<string, Point>;
  /** By the edge's place in the list. */
  routes: Map<number, Point[]>;
  width: number;
  height: number;
};

/** An edge with its place in the list that was given. */
type PlacedEdge = LayoutEdge & { index: number };

/** Edges in the order of their sources, then of their dependents: ties anywhere go by it. */
function inOrderOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): PlacedEdge[] {
  const ranks = new Map(nodes.map(({ id }, rank) => [id, rank]));
  const rankOf = (id: string) => ranks.get(id) ?? -1;
  return edges
    .map((edge, index) => ({ ...edge, index }))
    .toSorted(
      (one, other) =>
        rankOf(one.source) - rankOf(other.source) || rankOf(one.dependent) - rankOf(other.dependent),
    );
}

/**
 * The columns of one group, its links from column to column, and which ways each edge takes through
 * columns.
 */
function columnsOf(nodes: readonly LayoutNode[], edges: readonly PlacedEdge[]) {
  const first = Math.min(...nodes.map(({ layer }) => layer));
  const layerOf = new Map(nodes.map(({ id, layer }) => [id, layer - first]));
  const columns: Entry[][] = [];
  const columnAt = (layer: number): Entry[] => {
    while (columns.length <= layer) columns.push([]);
    return columns[layer] ?? [];
  };
  for (const { id } of nodes) columnAt(layerOf.get(id) ?? 0).push({ name: id, height: NODE.height });
  const links: [string, string][] = [];
  const lanes = new Map<number, string[]>();
  for (const { index, source, dependent } of edges) {
    const [from, to] = [layerOf.get(source) ?? 0, layerOf.get(dependent) ?? 0];
    // The issues of a circle share a column.
    if (to <= from) continue;
    const through: string[] = [];
    for (let layer = from + 1; layer < to; layer += 1) {
      const name = `${index}:${layer}`;
      columnAt(layer).push({ name, height: LANE });
      through.push(name);
    }
    const stops = [source, ...through, dependent];
    for (const [at, stop] of stops.slice(1).entries()) links.push([stops[at] ?? '', stop]);
    lanes.set(index, through);
  }
  return { columns, links, lanes, layerOf };
}

function drawGroup(nodes: readonly LayoutNode[], edges: readonly PlacedEdge[]): DrawnGroup {
  const { columns, links, lanes, layerOf } = columnsOf(nodes, edges);
  const ordered = orderColumns(columns, links);
  const { tops, height } = spreadColumns(ordered, links, NODE.gapY);
  const places = new Map(
    nodes.map(({ id }) => [id, { x: (layerOf.get(id) ?? 0) * STEP, y: tops.get(id) ?? 0 }]),
  );
  const routes = new Map<number, Point[]>();
  for (const { index, source, dependent } of edges) {
    const [from, to] = [places.get(source), places.get(dependent)];
    if (from === undefined || to === undefined) continue;
    const start = { x: from.x + NODE.width, y: from.y + NODE.height / 2 };
    const inOne = layerOf.get(source) === layerOf.get(dependent);
    const end = { x: inOne ? to.x + NODE.width : to.x, y: to.y + NODE.height / 2 };
    const between = (lanes.get(index) ?? []).flatMap((name, step) => {
      const x = ((layerOf.get(source) ?? 0) + step + 1) * STEP;
      const y = (tops.get(name) ?? 0) + LANE / 2;
      return [
        { x, y },
        { x: x + NODE.width, y },
      ];
    });
    routes.set(index, [start, ...between, end]);
  }
  const last = columns.length - 1;
  const bends = edges.some(
    ({ source, dependent }) => layerOf.get(source) === last && layerOf.get(dependent) === last,
  );
  const width = columns.length * STEP - NODE.gapX + (bends ? BEND_ROOM : 0);
  return { places, routes, width, height };
}

/**
 * Draws issues in columns from left to right: each group of connected ones by itself, in few
 * crossings, and the groups beside and under each other, the largest first. No two nodes overlap.
 * The same graph is drawn the same, in whatever order it is given.
 */
export function layoutGraph(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): GraphLayout {
  const sorted = nodes.toSorted(byKey);
  const groups = groupsOf(sorted, inOrderOf(sorted, edges))
    .map((group) => ({ size: group.nodes.length, drawn: drawGroup(group.nodes, group.edges) }))
    .toSorted((one, other) => other.size - one.size);
  const widest = Math.max(COLUMNS_ABREAST * STEP, ...groups.map(({ drawn }) => drawn.width));
  const places = new Map<string, Point>();
  const routes: (Point[] | null)[] = edges.map(() => null);
  let shelf = { x: 0, y: 0, height: 0 };
  let width = 0;
  for (const { drawn } of groups) {
    if (shelf.x > 0 && shelf.x + drawn.width > widest) {
      shelf = { x: 0, y: shelf.y + shelf.height + GROUP_GAP, height: 0 };
    }
    const { x: left, y: top } = shelf;
    const moved = ({ x, y }: Point) => ({ x: x + left, y: y + top });
    for (const [id, place] of drawn.places) places.set(id, moved(place));
    for (const [index, route] of drawn.routes) routes[index] = route.map(moved);
    width = Math.max(width, left + drawn.width);
    shelf = {
      x: left + drawn.width + NODE.gapX,
      y: top,
      height: Math.max(shelf.height, drawn.height),
    };
  }
  return { places, routes, width, height: shelf.y + shelf.height };
}
