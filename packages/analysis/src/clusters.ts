export { type CanonicalProposal, proposeCanonical } from './clusters/canonical.ts';
export { nameCluster } from './clusters/cluster-name.ts';
export { clusterPairs, type Link, MIN_AVERAGE_LINK } from './clusters/cluster-pairs.ts';
export { type Cohesion, cohesionOf } from './clusters/cohesion.ts';
export type { Constraint } from './clusters/constraints.ts';
export { cannotLinks } from './clusters/differences.ts';
export { additionsOf, type Fact, hasSteps } from './clusters/facts.ts';
export { type ClusterEvent, type MatchedCluster, matchClusters } from './clusters/match-clusters.ts';
export { affectedBeyond, updateClusters } from './clusters/update-clusters.ts';
