import type { Cohesion, Constraint } from '@winnow/analysis/clusters';
import { type clusterEdge, MAX_CLUSTER_EDGES, MAX_DRAWN_MEMBERS } from '@winnow/contract/cluster';
import type { z } from 'zod';
import type { PairLink } from './graph-store.ts';

type Edge = z.infer<typeof clusterEdge>;

/** Edges of a cluster in the API form. */
interface PresentedEdges {
  /** Edges, most probable first. */
  edges: Edge[];
  /** Number of edges of the cluster, including edges omitted here. */
  total: number;
  weakest: Edge | null;
}

/**
 * Merges pairs and constraints into edges. Above {@link MAX_CLUSTER_EDGES}, selects the edges of a
 * spanning tree, then the edges that are drawn, then the most probable remaining edges. `memberIds`
 * must be in display order.
 */
export function presentEdges(
  memberIds: readonly string[],
  pairs: readonly PairLink[],
  { together, weakest: link }: { together: readonly Constraint[]; weakest: Cohesion['weakest'] },
): PresentedEdges {
  const all = mergedEdges(pairs, together);
  const weakest = (link && all.get(keyOf(link.a, link.b))) ?? null;
  const edges = [...all.values()].sort((one, other) => other.probability - one.probability);
  const kept = edges.length > MAX_CLUSTER_EDGES ? mostImportant(edges, memberIds, weakest) : edges;
  return { edges: kept, total: edges.length, weakest };
}

function mergedEdges(pairs: readonly PairLink[], together: readonly Constraint[]): Map<string, Edge> {
  const edges = new Map<string, Edge>();
  for (const { id, a, b, similarity, probability } of pairs) {
    edges.set(keyOf(a, b), {
      issue1_id: a,
      issue2_id: b,
      pair_id: id,
      similarity,
      probability,
      constraint: null,
    });
  }
  for (const { a, b, source, reason } of together) {
    const known = edges.get(keyOf(a, b)) ?? { issue1_id: a, issue2_id: b, pair_id: null, similarity: null };
    edges.set(keyOf(a, b), { ...known, probability: 1, constraint: { source, reason } });
  }
  return edges;
}

/**
 * Selects the most important edges. The input must be ordered by probability; the result keeps that
 * order.
 */
function mostImportant(edges: readonly Edge[], memberIds: readonly string[], weakest: Edge | null): Edge[] {
  const ends = weakest === null ? [] : [weakest.issue1_id, weakest.issue2_id];
  const drawn = new Set([...ends, ...memberIds.slice(0, MAX_DRAWN_MEMBERS)]);
  const kept = spanningTree(edges);
  if (weakest !== null) kept.add(weakest);
  for (const edge of edges) if (drawn.has(edge.issue1_id) && drawn.has(edge.issue2_id)) kept.add(edge);
  for (const edge of edges) {
    if (kept.size >= MAX_CLUSTER_EDGES) break;
    kept.add(edge);
  }
  return edges.filter((edge) => kept.has(edge));
}

/**
 * Returns the edges of a spanning tree that prefers probable edges. It connects the same issues as
 * all edges do.
 */
function spanningTree(edges: readonly Edge[]): Set<Edge> {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== id) parents.set(id, root);
    return root;
  };
  return new Set(
    edges.filter(({ issue1_id, issue2_id }) => {
      const [one, other] = [rootOf(issue1_id), rootOf(issue2_id)];
      if (one === other) return false;
      parents.set(one, other);
      return true;
    }),
  );
}

function keyOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
