// Other features may import this file only.
export { clusterMemory } from './plan-resolution.ts';
export type { ClusterResolutions } from './resolutions.ts';
export type { Clusters, ClusterView } from './service.ts';
