/** What waits for what: dependencies that texts state or imply, and what the graph of them shows. */
export {
  type DependencyEdge,
  type DependencyGraph,
  type DependencyNode,
  dependencyGraph,
} from './dependencies/graph.ts';
export { type ImpliedDependency, type ImplyingIssue, impliedDependencies } from './dependencies/implied.ts';
export {
  type EvidenceRange,
  type StatedDependency,
  type StatingIssue,
  statedDependencies,
} from './dependencies/stated.ts';
