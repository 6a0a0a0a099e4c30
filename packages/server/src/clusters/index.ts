// Other features may import this file only.
export type { Clusters, ClusterView } from './service.ts';
