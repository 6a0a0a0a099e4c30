import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LayoutEdge, type LayoutNode, layoutGraph, NODE } from './layout.ts';
import { countCrossings, orderColumns } from './order.ts';

type Graph = { nodes: LayoutNode[]; edges: LayoutEdge[] };

/** Generates graphs with edges to higher layers. Some edges are within a layer, like in cycles. */
const graphs = fc
  .tuple(
    fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 40 }),
    fc.array(fc.tuple(fc.nat({ max: 39 }), fc.nat({ max: 39 })), { maxLength: 70 }),
  )
  .map(([layers, pairs]): Graph => {
    const nodes = layers.map((layer, index) => ({ id: `id-${index}`, key: `acme/app#${index}`, layer }));
    const edges = pairs.flatMap(([one, other]) => {
      const [first, second] = [nodes[one % nodes.length], nodes[other % nodes.length]];
      if (first === undefined || second === undefined) return [];
      const [source, dependent] = first.layer <= second.layer ? [first, second] : [second, first];
      return [{ source: source.id, dependent: dependent.id }];
    });
    return { nodes, edges };
  });

const layerOf = ({ nodes }: Graph, id: string) => nodes.find((node) => node.id === id)?.layer ?? 0;

test('places all nodes within the drawing and without overlap', () => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges }) => {
      const { positions, width, height } = layoutGraph(nodes, edges);
      const corners = [...positions.values()];
      expect(corners).toHaveLength(nodes.length);
      for (const [index, one] of corners.entries()) {
        expect(one.x).toBeGreaterThanOrEqual(0);
        expect(one.y).toBeGreaterThanOrEqual(0);
        expect(one.x + NODE.width).toBeLessThanOrEqual(width + 1e-6);
        expect(one.y + NODE.height).toBeLessThanOrEqual(height + 1e-6);
        for (const other of corners.slice(index + 1)) {
          const apart =
            Math.abs(one.x - other.x) >= NODE.width ||
            Math.abs(one.y - other.y) >= NODE.height + NODE.gapY - 1e-6;
          expect(apart).toBe(true);
        }
      }
    }),
  );
});

test('routes edges between columns to the right, from the side of one node to the side of the other', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { positions, routes } = layoutGraph(graph.nodes, graph.edges);
      for (const [index, { source, dependent }] of graph.edges.entries()) {
        const route = routes[index] ?? [];
        expect(route.at(0)?.x).toBe((positions.get(source)?.x ?? 0) + NODE.width);
        const isInOne = layerOf(graph, source) === layerOf(graph, dependent);
        expect(route.at(-1)?.x).toBe((positions.get(dependent)?.x ?? 0) + (isInOne ? NODE.width : 0));
        if (isInOne) continue;
        for (const [at, point] of route.slice(1).entries()) {
          expect(point.x).toBeGreaterThan(route[at]?.x ?? Number.NaN);
        }
      }
    }),
  );
});

test('returns the same layout for any input order', () => {
  fc.assert(
    fc.property(graphs, fc.infiniteStream(fc.nat()), ({ nodes, edges }, seeds) => {
      const shuffled = <T>(items: readonly T[]) =>
        items
          .map((item) => ({ item, at: seeds.next().value }))
          .toSorted((one, other) => one.at - other.at)
          .map(({ item }) => item);
      const sorted = (layout: ReturnType<typeof layoutGraph>) =>
        [...layout.positions].toSorted(([one], [other]) => (one < other ? -1 : 1));
      expect(sorted(layoutGraph(shuffled(nodes), shuffled(edges)))).toEqual(
        sorted(layoutGraph(nodes, edges)),
      );
    }),
  );
});

describe('columns', () => {
  const entry = (name: string) => ({ name, height: 1 });

  test('orders columns without avoidable crossings', () => {
    const columns = [['a', 'b', 'c'].map(entry), ['x', 'y', 'z'].map(entry)];
    const links = [
      ['a', 'z'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const;
    expect(countCrossings(columns, links)).toBe(3);
    expect(countCrossings(orderColumns(columns, links), links)).toBe(0);
  });

  test('routes an edge that skips a column above or below the nodes of the column', () => {
    const nodes = ['a', 'b', 'c'].map((id, layer) => ({ id, key: id, layer }));
    const edges = [
      { source: 'a', dependent: 'b' },
      { source: 'b', dependent: 'c' },
      { source: 'a', dependent: 'c' },
    ];
    const { positions, routes } = layoutGraph(nodes, edges);
    const b = positions.get('b')?.y ?? 0;
    const way = routes[2]?.[1]?.y ?? 0;
    expect(way < b || way > b + NODE.height).toBe(true);
  });
});

test('returns no route for an edge to an unknown node', () => {
  const { routes } = layoutGraph([{ id: 'a', key: 'a', layer: 0 }], [{ source: 'a', dependent: 'b' }]);
  expect(routes).toEqual([null]);
  expect(layoutGraph([], [])).toEqual({ positions: new Map(), routes: [], width: 0, height: 0 });
});
