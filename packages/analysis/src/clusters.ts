export { type CanonicalCandidate, type CanonicalProposal, proposeCanonical } from './clusters/canonical.ts';
export { nameCluster } from './clusters/cluster-name.ts';
export {
  type ClusterInput,
  type Clustering,
  clusterPairs,
  type Link,
  MIN_AVERAGE_LINK,
} from './clusters/cluster-pairs.ts';
export { type Cohesion, cohesionOf, type Split } from './clusters/cohesion.ts';
export type { Constraint, ConstraintConflict, ConstraintSource } from './clusters/constraints.ts';
export { cannotLinks, type DistinguishedIssue } from './clusters/differences.ts';
export { additionsOf, type Fact, type FactKind, readFacts } from './clusters/facts.ts';
export {
  type ClusterEvent,
  type IdentifiedCluster,
  type MatchedCluster,
  matchClusters,
} from './clusters/match-clusters.ts';
export { type ClusterUpdate, type LinkSource, updateClusters } from './clusters/update-clusters.ts';
