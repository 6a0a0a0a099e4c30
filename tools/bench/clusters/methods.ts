import { createRequire } from 'node:module';
import { clusterPairs, type Link } from '@winnow/analysis/clusters';
import { UndirectedGraph } from 'graphology';
import { HDBSCAN } from 'hdbscan-ts';
import { type AgglomerationMethod, agnes } from 'ml-hclust';
import { connectedGroups } from '../../data/labelled-set.ts';
import type { Scene } from './scene.ts';

/**
 * The type declarations of the package describe a default export that the package does not have.
 */
type Louvain = typeof import('graphology-communities-louvain')['default'];
const louvain: Louvain = createRequire(import.meta.url)('graphology-communities-louvain');

/** A method of clustering issues. `threshold` is a probability. */
export interface Method {
  name: string;
  cluster: (scene: Scene, threshold: number) => string[][];
}

/**
 * Maximum issues in a connected component that HDBSCAN clusters. The time of HDBSCAN grows with the
 * cube of the number of issues.
 */
const MAX_DENSE_ISSUES = 400;

export const METHODS: readonly Method[] = [
  { name: 'every issue alone', cluster: () => [] },
  { name: 'single linkage', cluster: (scene, threshold) => connectedParts(scene.links, threshold) },
  { name: 'complete, ml-hclust', cluster: (scene, threshold) => byHclust(scene, threshold, 'complete') },
  { name: 'average, ml-hclust', cluster: (scene, threshold) => byHclust(scene, threshold, 'average') },
  { name: 'Louvain, graphology', cluster: byLouvain },
  { name: 'HDBSCAN, hdbscan-ts', cluster: byHdbscan },
  {
    name: 'average, constrained (ours)',
    cluster: ({ links, constraints }, threshold) =>
      clusterPairs({ links, constraints }, { threshold }).clusters,
  },
];

function connectedParts(links: readonly Link[], threshold: number): string[][] {
  return connectedGroups(
    links.flatMap(({ a, b, probability }) => (probability >= threshold ? [[a, b] as const] : [])),
  );
}

/**
 * Clusters each connected component separately, because a matrix of all issues would not fit in
 * memory.
 * The result is the same: the average and the minimum of links reach the threshold only if at least
 * one link does.
 */
function byHclust({ links }: Scene, threshold: number, method: AgglomerationMethod): string[][] {
  const probabilityOf = probabilities(links);
  return connectedParts(links, threshold).flatMap((part) => {
    const distances = part.map((a) => part.map((b) => (a === b ? 0 : 1 - probabilityOf(a, b))));
    const tree = agnes(distances, { method, isDistanceMatrix: true });
    return tree
      .cut(1 - threshold)
      .map((cluster) => cluster.indices().map((at) => part[at] ?? ''))
      .filter(({ length }) => length > 1);
  });
}

function probabilities(links: readonly Link[]): (a: string, b: string) => number {
  const keyOf = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const known = new Map(links.map(({ a, b, probability }) => [keyOf(a, b), probability]));
  return (a, b) => known.get(keyOf(a, b)) ?? 0;
}

function byLouvain({ links }: Scene, threshold: number): string[][] {
  const graph = new UndirectedGraph();
  for (const { a, b, probability } of links) {
    if (probability >= threshold) graph.mergeEdge(a, b, { weight: probability });
  }
  if (graph.size === 0) return [];
  const communities = louvain(graph, { getEdgeWeight: 'weight', randomWalk: false });
  return [...Map.groupBy(Object.entries(communities), ([, community]) => community).values()]
    .map((members) => members.map(([id]) => id))
    .filter(({ length }) => length > 1);
}

/**
 * Clusters the vectors of each connected component with HDBSCAN, because the package accepts only
 * points. Components stay whole if they are too large, too small, or lack a vector.
 */
function byHdbscan({ links, vectorOf }: Scene, threshold: number): string[][] {
  return connectedParts(links, threshold).flatMap((part) => {
    const points = part.map((id) => [...(vectorOf(id) ?? [])]);
    if (part.length > MAX_DENSE_ISSUES || part.length < 3 || points.some(({ length }) => length === 0)) {
      return [part];
    }
    const labels = new HDBSCAN({ minClusterSize: 2, minSamples: 1, shouldSkipRootCluster: false }).fit(
      points,
    );
    const clusters = Map.groupBy(part.keys(), (at) => labels[at] ?? -1);
    clusters.delete(-1);
    return [...clusters.values()].map((places) => places.map((at) => part[at] ?? ''));
  });
}
