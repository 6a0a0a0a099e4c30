import { cohesionOf } from '@winnow/analysis/clusters';
import { MAX_CLUSTER_EDGES, MAX_DRAWN_MEMBERS } from '@winnow/contract/cluster';
import { expect, test } from 'vitest';
import { presentEdges } from './edges.ts';
import type { PairLink } from './graph-store.ts';

const pair = (a: string, b: string, probability: number): PairLink => ({
  id: `${a}-${b}`,
  ...{ a, b, probability, similarity: probability, frame: null },
  ...{ resolution: null, dismissed: false, undone: false },
});
const issues = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `issue-${1000 + from + at}`);
const complete = (ids: readonly string[], probability: number) =>
  ids.flatMap((a, at) => ids.slice(at + 1).map((b) => pair(a, b, probability)));

test('a large cluster keeps edges that connect all issues, those drawn, and the weakest link', () => {
  // Issues `one` and `two` form two groups with strong links; `loose` has weaker ones. Weak links
  // connect the three groups.
  const [one, two, loose] = [issues(40), issues(40, 40), issues(30, 80)];
  const weak = pair('issue-1039', 'issue-1079', 0.2);
  const pairs = [
    ...[...complete(one, 0.9), ...complete(two, 0.9), ...complete(loose, 0.5)],
    ...[weak, pair('issue-1000', 'issue-1080', 0.3), pair('issue-1001', 'issue-1081', 0.21)],
  ];
  const ids = [...loose, ...one, ...two];
  const { weakest: link } = cohesionOf(ids, pairs);
  const { edges, total, weakest } = presentEdges(ids, pairs, { together: [], weakest: link });

  expect(total).toBe(pairs.length);
  expect(edges).toHaveLength(MAX_CLUSTER_EDGES);
  expect(weakest).toMatchObject({ pair_id: weak.id });
  expect(edges).toContain(weakest);
  expect(edges.map(({ probability }) => probability)).toEqual(
    edges.map(({ probability }) => probability).sort((a, b) => b - a),
  );
  const reached = new Set(ids.slice(0, 1));
  for (const id of reached) {
    for (const { issue1_id, issue2_id } of edges) {
      if (issue1_id === id) reached.add(issue2_id);
      if (issue2_id === id) reached.add(issue1_id);
    }
  }
  expect(reached.size).toBe(ids.length);
  const kept = new Set(edges.map(({ pair_id }) => pair_id));
  const drawn = complete(loose.slice(0, MAX_DRAWN_MEMBERS), 0.5);
  expect(drawn.filter(({ id }) => !kept.has(id))).toEqual([]);
});

test('a small cluster keeps every edge', () => {
  const pairs = complete(issues(30), 0.9);
  const presented = presentEdges(issues(30), pairs, { together: [], weakest: null });
  expect(presented.edges).toHaveLength(435);
  expect(presented.total).toBe(435);
});

test('a cluster of more issues than the maximum stays connected', () => {
  const ids = issues(600);
  const chain = ids.slice(1).map((b, at) => pair(ids[at] ?? '', b, 0.4));
  const across = ids.slice(2).map((b, at) => pair(ids[at] ?? '', b, 0.3));
  const { edges } = presentEdges(ids, [...across, ...chain], { together: [], weakest: null });
  const kept = new Set(edges.map(({ pair_id }) => pair_id));
  expect(chain.filter(({ id }) => !kept.has(id))).toEqual([]);
  // The other edges are drawn, so they are preserved too.
  expect(edges).toHaveLength(599 + MAX_DRAWN_MEMBERS - 2);
});
