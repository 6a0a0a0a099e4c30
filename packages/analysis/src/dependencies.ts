/** Dependencies between issues: those that texts state or imply, and the graph of them. */
export {
  type DependencyEdge,
  type DependencyGraph,
  type DependencyNode,
  dependencyGraph,
} from './dependencies/graph.ts';
export { impliedDependencies } from './dependencies/implied.ts';
export {
  type ImpliedDependency,
  ImpliedSearch,
  type ImplyingWords,
  type ReadIssue,
} from './dependencies/implied-search.ts';
export {
  type ImplyingIssue,
  type ImplyingTexts,
  implyingTextsOf,
} from './dependencies/implying-texts.ts';
export {
  type EvidenceRange,
  type StatedDependency,
  type StatingIssue,
  statedDependencies,
} from './dependencies/stated.ts';
