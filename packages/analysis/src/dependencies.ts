/** Dependencies between issues: those that texts state or imply, and the graph of them. */
export { impliedDependencies } from './dependencies/implied.ts';
export {
  ImpliedSearch,
  type ReadIssue,
} from './dependencies/implied-search.ts';
export {
  type ImplyingTexts,
  implyingTextsOf,
} from './dependencies/implying-texts.ts';
export { statedDependencies } from './dependencies/stated.ts';
