import { groupsOf } from './groups.ts';
import { orderColumns } from './order.ts';
import { spreadColumns } from './spread.ts';

/** An issue to draw. Issues are sorted by `key` if nothing else determines their order. */
export type LayoutNode = {
  id: string;
  key: string;
  /**
   * Column of the issue, starting at 0. An issue is right of all its blockers, except those in the
   * same cycle.
   */
  layer: number;
};
export type LayoutEdge = { source: string; dependent: string };
export type Point = { x: number; y: number };

export type GraphLayout = {
  /** Positions of the upper left corners of the nodes, by node id. */
  positions: ReadonlyMap<string, Point>;
  /**
   * Route of each edge as a list of points, in input order. Null if the edge has an unknown node. A
   * route starts at the right side of its source node. It ends at the left side of its dependent
   * node, or at the right side if both are in one column. In between, it passes through the columns
   * that it skips.
   */
  routes: readonly (readonly Point[] | null)[];
  width: number;
  height: number;
};

/** Size of nodes and gaps between them, in pixels at scale 1. */
export const NODE = { width: 208, height: 52, gapX: 76, gapY: 16 } as const;
/** Height in pixels that an edge occupies in a column it skips. */
const LANE_HEIGHT = 14;
/** Maximum width, in columns, of groups placed side by side. A wider group is alone in its row. */
const ROW_WIDTH_COLUMNS = 5;
const GROUP_GAP = 36;
/** Width in pixels reserved for edges that bend out of the last column. */
const BEND_WIDTH = 64;

const COLUMN_WIDTH = NODE.width + NODE.gapX;
const collator = new Intl.Collator('en', { numeric: true });

function byKey(one: LayoutNode, other: LayoutNode): number {
  return collator.compare(one.key, other.key) || (one.id < other.id ? -1 : 1);
}

/** Entry of a column: a node, or an edge that passes through the column. */
export type Entry = { name: string; height: number };

type DrawnGroup = {
  positions: Map<string, Point>;
  /** Routes by the index of the edge. */
  routes: Map<number, Point[]>;
  width: number;
  height: number;
};

/** An edge with its index in the input. */
type PlacedEdge = LayoutEdge & { index: number };

/**
 * Sorts edges by source and then by dependent, so that the layout does not depend on the input
 * order.
 */
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
 * Returns the columns of one group, and the links between adjacent columns. `lanes` contains the
 * entries of each edge in the columns that it skips. `layerOf` contains the column of each node.
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
    // An edge within a cycle stays in one column and needs no entries.
    if (to <= from) continue;
    const through: string[] = [];
    for (let layer = from + 1; layer < to; layer += 1) {
      const name = `${index}:${layer}`;
      columnAt(layer).push({ name, height: LANE_HEIGHT });
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
  const positions = new Map(
    nodes.map(({ id }) => [id, { x: (layerOf.get(id) ?? 0) * COLUMN_WIDTH, y: tops.get(id) ?? 0 }]),
  );
  const routes = new Map<number, Point[]>();
  for (const { index, source, dependent } of edges) {
    const [from, to] = [positions.get(source), positions.get(dependent)];
    if (from === undefined || to === undefined) continue;
    const start = { x: from.x + NODE.width, y: from.y + NODE.height / 2 };
    const inOne = layerOf.get(source) === layerOf.get(dependent);
    const end = { x: inOne ? to.x + NODE.width : to.x, y: to.y + NODE.height / 2 };
    const between = (lanes.get(index) ?? []).flatMap((name, step) => {
      const x = ((layerOf.get(source) ?? 0) + step + 1) * COLUMN_WIDTH;
      const y = (tops.get(name) ?? 0) + LANE_HEIGHT / 2;
      return [
        { x, y },
        { x: x + NODE.width, y },
      ];
    });
    routes.set(index, [start, ...between, end]);
  }
  const last = columns.length - 1;
  const hasBends = edges.some(
    ({ source, dependent }) => layerOf.get(source) === last && layerOf.get(dependent) === last,
  );
  const width = columns.length * COLUMN_WIDTH - NODE.gapX + (hasBends ? BEND_WIDTH : 0);
  return { positions, routes, width, height };
}

/**
 * Computes a layout in columns from left to right, with few crossings. Groups of connected nodes
 * are laid out separately and placed in rows, largest group first. Nodes never overlap. The layout
 * does not depend on the input order.
 */
export function layoutGraph(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): GraphLayout {
  const sorted = nodes.toSorted(byKey);
  const groups = groupsOf(sorted, inOrderOf(sorted, edges))
    .map((group) => ({ size: group.nodes.length, drawn: drawGroup(group.nodes, group.edges) }))
    .toSorted((one, other) => other.size - one.size);
  const widest = Math.max(ROW_WIDTH_COLUMNS * COLUMN_WIDTH, ...groups.map(({ drawn }) => drawn.width));
  const positions = new Map<string, Point>();
  const routes: (Point[] | null)[] = edges.map(() => null);
  let row = { x: 0, y: 0, height: 0 };
  let width = 0;
  for (const { drawn } of groups) {
    if (row.x > 0 && row.x + drawn.width > widest) {
      row = { x: 0, y: row.y + row.height + GROUP_GAP, height: 0 };
    }
    const { x: left, y: top } = row;
    const moved = ({ x, y }: Point) => ({ x: x + left, y: y + top });
    for (const [id, position] of drawn.positions) positions.set(id, moved(position));
    for (const [index, route] of drawn.routes) routes[index] = route.map(moved);
    width = Math.max(width, left + drawn.width);
    row = {
      x: left + drawn.width + NODE.gapX,
      y: top,
      height: Math.max(row.height, drawn.height),
    };
  }
  return { positions, routes, width, height: row.y + row.height };
}
