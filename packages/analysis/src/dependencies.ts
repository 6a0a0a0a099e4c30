/** Dependencies between issues, stated or implied by their texts, and the graph of dependencies. */
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
