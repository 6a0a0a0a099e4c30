import type { Highlight } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import { type CommentRow, findIssues, type IssueView } from '../store.ts';
import { type HighlightTerms, highlightsIn, searchedWords } from './highlights.ts';
import type { ParsedQuery } from './query.ts';
import type { RankedItem } from './ranker.ts';
import { comparable, idsOf, searchedText } from './search-text.ts';
import { findComments } from './store.ts';
import { type Frequencies, isCommon, withKnownStems } from './word-search.ts';

/** One search result. */
export type SearchHit = { similarity: number | null; highlights: Highlight[] } & (
  | { itemType: 'issue' | 'change_request'; issue: IssueView }
  | { itemType: 'comment'; comment: CommentRow; issue: IssueView }
);

/** Loads the items of search results, one page at a time. */
export class HitReader {
  readonly #db: Db;
  readonly #engine: Engine;

  constructor(options: { db: Db; engine: Engine }) {
    this.#db = options.db;
    this.#engine = options.engine;
  }

  /** Returns a page of results with all their fields. Omits items that were deleted meanwhile. */
  async read(
    accountId: string,
    page: readonly (RankedItem & { isNamed?: boolean })[],
    search: { query: ParsedQuery; frequencies: Frequencies } | null,
  ): Promise<SearchHit[]> {
    const comments = await findComments(this.#db, accountId, idsOf(page, ['comment']));
    const issues = await findIssues(this.#db, accountId, [
      ...new Set([...idsOf(page, ['issue', 'change_request']), ...comments.map(({ issue_id }) => issue_id)]),
    ]);
    const issueOf = new Map(issues.map((issue) => [issue.id, issue]));
    const commentOf = new Map(comments.map((comment) => [comment.id, comment]));
    const searched =
      search &&
      searchedWords(
        { ...search.query, words: withKnownStems(search.query.words, search.frequencies) },
        (term) => isCommon(term, search.frequencies),
      );
    const hits = page.flatMap(({ id, itemType, similarity, isNamed = false }): SearchHit[] => {
      const known = { similarity: isNamed ? 1 : (similarity ?? null) };
      if (itemType === 'comment') {
        const comment = commentOf.get(id);
        const issue = issueOf.get(comment?.issue_id ?? '');
        if (!comment || !issue) return [];
        const highlights = searched === null ? [] : highlightsIn('body', comment.body, searched);
        return [{ itemType, comment, issue, highlights, ...known }];
      }
      const issue = issueOf.get(id);
      if (!issue) return [];
      return [{ itemType, issue, highlights: highlightsOf(issue, searched, isNamed), ...known }];
    });
    return search === null ? hits : this.#withSimilarities(accountId, hits, search.query);
  }

  /** Computes the similarity of results that were found only by words. */
  async #withSimilarities(accountId: string, hits: SearchHit[], query: ParsedQuery): Promise<SearchHit[]> {
    const unknown = hits.filter(({ similarity }) => similarity === null);
    if (unknown.length === 0) return hits;
    const similarities = await this.#engine.call('compare', {
      accountId,
      text: searchedText(query),
      others: unknown.map((hit) => {
        if (hit.itemType === 'issue') return { id: hit.issue.id };
        if (hit.itemType === 'comment') return comparable('', hit.comment.body);
        return comparable(hit.issue.title, hit.issue.description);
      }),
    });
    const known = new Map(unknown.map((hit, index) => [hit, similarities?.[index] ?? null]));
    return hits.map((hit) => ({ ...hit, similarity: hit.similarity ?? known.get(hit) ?? null }));
  }
}

function highlightsOf(issue: IssueView, searched: HighlightTerms | null, isNamed: boolean): Highlight[] {
  if (searched === null) return [];
  const whole = { title: issue.title, body: issue.description };
  return [
    ...(isNamed ? [{ field: 'key' as const, start: 0, end: issue.key.length }] : []),
    ...highlightsIn('title', issue.title, searched, whole),
    ...highlightsIn('description', issue.description, searched, whole),
  ];
}
