import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DependencyEdge, dependencyGraph } from './graph.ts';

const open = (...keys: string[]) => keys.map((key) => ({ key, isClosed: false }));
const edge = (source: string, dependent: string): DependencyEdge => ({ source, dependent });

describe('cycles', () => {
  test('there are no cycles in a chain, a fork and a diamond', () => {
    const edges = [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')];
    expect(dependencyGraph(open('a', 'b', 'c', 'd'), edges).cycles).toEqual([]);
  });

  test('each cycle is listed once, along its edges, starting with its first issue', () => {
    const edges = [
      edge('c', 'a'),
      edge('a', 'b'),
      edge('b', 'c'),
      edge('c', 'd'),
      edge('d', 'e'),
      edge('e', 'd'),
    ];
    const graph = dependencyGraph(open('a', 'b', 'c', 'd', 'e'), edges);
    expect(graph.cycles).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
    expect(graph.edges.map(({ isInCycle }) => isInCycle)).toEqual([true, true, true, false, true, true]);
  });

  test('an issue that waits for itself is a cycle', () => {
    expect(dependencyGraph(open('a', 'b'), [edge('a', 'a'), edge('a', 'b')]).cycles).toEqual([['a']]);
  });
});

test('an edge to an unknown issue is omitted', () => {
  const graph = dependencyGraph(open('a'), [edge('a', 'gone'), edge('gone', 'a')]);
  expect(graph.edges).toEqual([]);
  expect(graph.cycles).toEqual([]);
});

describe('the longest chain', () => {
  test('the chain is empty if no issue waits for another', () => {
    expect(dependencyGraph(open('a', 'b'), []).longestChain).toEqual([]);
  });

  test('the chain contains no closed issue, because nothing waits for it', () => {
    const nodes = [...open('a', 'c', 'd'), { key: 'b', isClosed: true }];
    const graph = dependencyGraph(nodes, [edge('a', 'b'), edge('b', 'c'), edge('c', 'd')]);
    expect(graph.longestChain).toEqual(['c', 'd']);
    expect(graph.edges.map(({ isSatisfied }) => isSatisfied)).toEqual([false, true, false]);
  });

  test('the chain avoids cycles, because their issues cannot be finished', () => {
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd'), edge('a', 'd')];
    expect(dependencyGraph(open('a', 'b', 'c', 'd'), edges).longestChain).toEqual(['a', 'd']);
    const own = [edge('a', 'b'), edge('b', 'b'), edge('b', 'c'), edge('c', 'd')];
    expect(dependencyGraph(open('a', 'b', 'c', 'd'), own).longestChain).toEqual(['c', 'd']);
  });
});

test('a chain of 100,000 issues is analyzed', () => {
  const keys = Array.from({ length: 100_000 }, (_, at) => `k${at}`);
  const edges = keys.slice(1).map((key, at) => edge(keys[at] ?? '', key));
  const graph = dependencyGraph(open(...keys), edges.reverse());
  expect(graph.longestChain).toEqual(keys);
  expect(graph.layerOf.get('k99999')).toBe(99_999);
  expect(graph.cycles).toEqual([]);
});

const anyGraph = fc.integer({ min: 1, max: 9 }).chain((count) =>
  fc.record({
    closed: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    pairs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 20 }),
  }),
);

describe('in any graph', () => {
  /** Returns a matrix. `[a][b]` is true if edges lead from a to b. */
  const reachOf = (count: number, pairs: readonly (readonly [number, number])[]): boolean[][] => {
    const reach = Array.from({ length: count }, (_, a) =>
      Array.from({ length: count }, (_, b) => pairs.some(([from, to]) => from === a && to === b)),
    );
    for (let via = 0; via < count; via += 1) {
      for (let a = 0; a < count; a += 1) {
        for (let b = 0; b < count; b += 1) {
          if (reach[a]?.[via] && reach[via]?.[b]) reach[a]?.splice(b, 1, true);
        }
      }
    }
    return reach;
  };
  const read = ({ closed, pairs }: { closed: boolean[]; pairs: [number, number][] }) => {
    const nodes = closed.map((isClosed, at) => ({ key: String(at), isClosed }));
    return dependencyGraph(
      nodes,
      pairs.map(([from, to]) => edge(String(from), String(to))),
    );
  };

  test('the cycles are the sets of issues that can reach each other', () => {
    fc.assert(
      fc.property(anyGraph, (given) => {
        const reach = reachOf(given.closed.length, given.pairs);
        const expected = new Set(
          given.closed.flatMap((_, a) => {
            const circle = given.closed.flatMap((_, b) => (reach[a]?.[b] && reach[b]?.[a] ? [b] : []));
            return circle.length > 0 ? [circle.join()] : [];
          }),
        );
        const { cycles, edges } = read(given);
        const found = cycles.map((circle) => circle.map(Number).sort().join());
        expect(new Set(found)).toEqual(expected);
        expect(found).toHaveLength(expected.size);
        for (const {
          edge: { source, dependent },
          isInCycle,
        } of edges) {
          expect(isInCycle).toBe(
            source === dependent || (reach[Number(dependent)]?.[Number(source)] ?? false),
          );
        }
      }),
    );
  });

  test('outside of cycles, each issue is one layer after the last issue it waits for', () => {
    fc.assert(
      fc.property(anyGraph, (given) => {
        const reach = reachOf(given.closed.length, given.pairs);
        const { layerOf } = read(given);
        const layer = (at: number): number => layerOf.get(String(at)) ?? -1;
        const isOneCircle = (a: number, b: number) => a === b || (reach[a]?.[b] && reach[b]?.[a]);
        for (const [at] of given.closed.entries()) {
          const circle = given.closed.flatMap((_, other) => (isOneCircle(at, other) ? [other] : []));
          const sources = given.pairs.flatMap(([from, to]) =>
            circle.includes(to) && !circle.includes(from) ? [layer(from) + 1] : [],
          );
          expect(layer(at)).toBe(Math.max(0, ...sources));
        }
      }),
    );
  });

  test('the longest chain follows edges between open issues', () => {
    fc.assert(
      fc.property(anyGraph, (given) => {
        const { longestChain } = read(given);
        for (const [at, key] of longestChain.entries()) {
          expect(given.closed[Number(key)]).toBe(false);
          if (at === 0) continue;
          const before = Number(longestChain[at - 1]);
          expect(given.pairs.some(([from, to]) => from === before && to === Number(key))).toBe(true);
        }
      }),
    );
  });

  test('without cycles, the chain is a longest path of open issues', () => {
    fc.assert(
      fc.property(anyGraph, ({ closed, pairs }) => {
        const forward = pairs.filter(([from, to]) => from < to);
        const { longestChain } = read({ closed, pairs: forward });
        const usable = forward.filter(([from, to]) => closed[from] === false && closed[to] === false);
        const longestFrom = (at: number): number =>
          1 + Math.max(0, ...usable.flatMap(([from, to]) => (from === at ? [longestFrom(to)] : [])));
        const longest = Math.max(0, ...usable.map(([from]) => longestFrom(from)));
        expect(longestChain).toHaveLength(longest);
        for (const [at, key] of longestChain.slice(1).entries()) {
          expect(usable).toContainEqual([Number(longestChain[at]), Number(key)]);
        }
      }),
    );
  });
});
