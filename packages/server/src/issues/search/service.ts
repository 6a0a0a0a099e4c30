import { SIMILARITY } from '@winnow/contract/duplicate';
import type { StatusFilter } from '@winnow/contract/issue';
import { type Highlight, MOST_COUNTED, type SearchItemType, type SearchType } from '@winnow/contract/search';
import type { Db } from '../../schema/tables.ts';
import type { Engine } from '../engine/engine.ts';
import type { SearchedText } from '../engine/messages.ts';
import type { Issues } from '../service.ts';
import { type CommentRow, findHeadlines, findIssues, type IssueHeadline, type IssueView } from '../store.ts';
import { termsOf } from './document.ts';
import { fuseRanks } from './fusion.ts';
import { highlightsIn, type Searched, searchedWords } from './highlights.ts';
import { countStale } from './index-words.ts';
import { fixedCondition, hasWords, type ParsedQuery, parseQuery } from './query.ts';
import { findNamed } from './reference.ts';
import { type FoundItem, findComments, findNewest, keepMatching, type SearchFilter } from './store.ts';
import { type Frequencies, findWords, isCommon, type WordSearch } from './words.ts';

export interface SearchRequest {
  query: string;
  searchType: SearchType;
  itemTypes: readonly SearchItemType[];
  status: StatusFilter;
  /** Full ids or first segments; every project when empty. */
  projects: readonly string[];
  limit: number;
  skip: number;
}

/** An item of a page of results. */
export type SearchHit = { similarity: number | null; highlights: Highlight[] } & (
  | { itemType: 'issue' | 'change_request'; issue: IssueView }
  | { itemType: 'comment'; comment: CommentRow; issue: IssueHeadline }
);

export interface SearchAnswer {
  hits: SearchHit[];
  total: number;
  isCapped: boolean;
  notice: string | null;
}

/** What was found, before a page of it is read. */
interface Ranking {
  items: (FoundItem & { similarity?: number; isNamed?: boolean })[];
  notice: string | null;
  frequencies?: Frequencies;
}

/** So many changed texts are indexed while a search waits; more are left to a job. */
const INDEXED_AT_ONCE = 200;
/** Comments and change requests compared with a query, the best by their words. */
const MOST_COMPARED = 100;
/** Less of a text is compared anyway. */
const CHARACTERS_COMPARED = 20_000;
const BUSY = 'Found by words alone: the index of similar issues is still being loaded.';
const NOT_INDEXED = 'Issues that came in just now are still being indexed and may be missing.';

/** Finds issues, change requests and comments by what they mean and by their words. */
export class Search {
  readonly #db: Db;
  readonly #engine: Engine;
  readonly #issues: Issues;
  readonly #requestIndexing: (accountId: string) => Promise<unknown>;

  /** `requestIndexing` has a job index what changed in an account. */
  constructor(options: {
    db: Db;
    engine: Engine;
    issues: Issues;
    requestIndexing: (accountId: string) => Promise<unknown>;
  }) {
    this.#db = options.db;
    this.#engine = options.engine;
    this.#issues = options.issues;
    this.#requestIndexing = options.requestIndexing;
  }

  /**
   * A page of what a query finds: first what it names by key, id or address, then the best. An empty query lists the newest.
   * Results go as far as they are counted. 422 for an ambiguous project.
   */
  async search(accountId: string, request: SearchRequest): Promise<SearchAnswer> {
    const { projects } = request;
    const filter: SearchFilter = {
      itemTypes: request.itemTypes,
      status: request.status,
      projectIds: projects.length === 0 ? null : await this.#issues.resolveProjects(accountId, projects),
    };
    if (request.query === '') return this.#newest(accountId, filter, request);
    const query = parseQuery(request.query);
    const [named, ranking] = await Promise.all([
      findNamed(this.#db, accountId, request.query.toWellFormed().replaceAll('\0', ' '), filter),
      this.#rank(accountId, query, filter, request.searchType),
    ]);
    const isNamed = new Set(named.map(({ id }) => id));
    const items: Ranking['items'] = [
      ...named.map((item) => ({ ...item, isNamed: true })),
      ...ranking.items.filter(({ id }) => !isNamed.has(id)),
    ];
    const page = items.slice(0, MOST_COUNTED).slice(request.skip, request.skip + request.limit);
    return {
      hits: await this.#read(accountId, page, { query, frequencies: ranking.frequencies ?? NOTHING_KNOWN }),
      total: Math.min(items.length, MOST_COUNTED),
      isCapped: items.length > MOST_COUNTED,
      notice: ranking.notice,
    };
  }

  async #newest(accountId: string, filter: SearchFilter, page: SearchRequest): Promise<SearchAnswer> {
    const { found, total } = await findNewest(this.#db, accountId, filter, page);
    return {
      hits: await this.#read(accountId, found, null),
      total: Math.min(total, MOST_COUNTED),
      isCapped: total > MOST_COUNTED,
      notice: null,
    };
  }

  async #rank(
    accountId: string,
    query: ParsedQuery,
    filter: SearchFilter,
    searchType: SearchType,
  ): Promise<Ranking> {
    if (!hasWords(query)) return { items: [], notice: null };
    const [notIndexed, frequencies] = await Promise.all([
      this.#index(accountId),
      this.#frequencies(accountId, query),
    ]);
    const ranking = await this.#rankBy(accountId, { query, frequencies, filter }, searchType);
    return {
      ...ranking,
      notice: ranking.notice ?? notIndexed,
      ...(frequencies === null ? {} : { frequencies }),
    };
  }

  async #rankBy(
    accountId: string,
    { query, frequencies, filter }: Omit<WordSearch, 'frequencies'> & { frequencies: Frequencies | null },
    searchType: SearchType,
  ): Promise<Ranking> {
    const words = { query, frequencies: frequencies ?? NOTHING_KNOWN, filter };
    const byWordsAlone = () => findWords(this.#db, accountId, words, filter.itemTypes);
    if (searchType === 'fulltext') return { items: await byWordsAlone(), notice: null };
    if (frequencies === null) return { items: await byWordsAlone(), notice: BUSY };
    // Issues that have some of the words are found by similarity, and in a better order.
    const [found, near] = await Promise.all([
      findWords(this.#db, accountId, words, without(filter.itemTypes, 'issue')),
      this.#nearest(accountId, query, filter),
    ]);
    if (near === null) return { items: await byWordsAlone(), notice: BUSY };
    const others = await this.#compareOthers(accountId, query, found);
    const similar = [...near.items, ...others].sort(bySimilarity);
    const { notice } = near;
    if (searchType === 'similarity') return { items: similar, notice };
    const similarityOf = new Map(similar.map(({ id, similarity }) => [id, similarity]));
    const items = fuseRanks<FoundItem>([similar, found]).map((item) => {
      const similarity = similarityOf.get(item.id);
      return similarity === undefined ? item : { ...item, similarity };
    });
    return { items, notice };
  }

  /** Indexes what changed, if it is little; otherwise answers what is to be said of it. */
  async #index(accountId: string): Promise<string | null> {
    const stale = await countStale(this.#db, accountId, INDEXED_AT_ONCE + 1);
    if (stale === 0) return null;
    if (stale <= INDEXED_AT_ONCE) {
      await this.#engine.call('indexWords', { accountId });
      return null;
    }
    await this.#requestIndexing(accountId);
    return NOT_INDEXED;
  }

  async #frequencies(accountId: string, query: ParsedQuery): Promise<Frequencies | null> {
    const terms = query.words.map(({ term }) => term);
    const answer = await this.#engine.call('frequencies', { accountId, terms });
    return (
      answer && {
        documents: answer.documents,
        occurrences: new Map(terms.map((term, index) => [term, answer.occurrences[index] ?? 1])),
      }
    );
  }

  /** Issues by similarity; null when the index is not loaded. Phrases and what is left out hold for them, too. */
  async #nearest(accountId: string, query: ParsedQuery, filter: SearchFilter) {
    if (!filter.itemTypes.includes('issue')) return { items: [], notice: null };
    const answer = await this.#engine.call('search', {
      accountId,
      text: searchedText(query),
      filter: {
        projectIds: filter.projectIds === null ? null : [...filter.projectIds],
        state: filter.status === 'all' ? null : filter.status,
      },
      limit: MOST_COUNTED + 1,
      floor: SIMILARITY.stored,
    });
    if (answer === null) return null;
    const items = answer.results.map(({ issueId: id, similarity }) => ({
      id,
      itemType: 'issue' as const,
      similarity,
    }));
    const fixed = fixedCondition(query, termsOf(accountId).anywhere);
    if (fixed === null) return { items, notice: answer.notice };
    const ids = items.map(({ id }) => id);
    const holds = await keepMatching(this.#db, accountId, ids, fixed);
    return { items: items.filter(({ id }) => holds.has(id)), notice: answer.notice };
  }

  /** What has no vector is compared by words: the best of it by its words. */
  async #compareOthers(accountId: string, query: ParsedQuery, found: readonly FoundItem[]) {
    const others = found.filter(({ itemType }) => itemType !== 'issue').slice(0, MOST_COMPARED);
    if (others.length === 0) return [];
    const texts = await this.#textsOf(accountId, others);
    const similarities = await this.#engine.call('compare', {
      accountId,
      text: searchedText(query),
      others: others.map(({ id }) => texts.get(id) ?? { title: '', body: '' }),
    });
    return others
      .map((item, index) => ({ ...item, similarity: similarities?.[index] ?? 0 }))
      .filter(({ similarity }) => similarity >= SIMILARITY.stored);
  }

  async #textsOf(accountId: string, items: readonly FoundItem[]): Promise<Map<string, SearchedText>> {
    const [issues, comments] = await Promise.all([
      findIssues(this.#db, accountId, idsOf(items, ['issue', 'change_request'])),
      findComments(this.#db, accountId, idsOf(items, ['comment'])),
    ]);
    return new Map([
      ...issues.map(({ id, title, description }) => [id, comparable(title, description)] as const),
      ...comments.map(({ id, body }) => [id, comparable('', body)] as const),
    ]);
  }

  /** A page in full. What was removed meanwhile is left out. */
  async #read(
    accountId: string,
    page: Ranking['items'],
    search: { query: ParsedQuery; frequencies: Frequencies } | null,
  ): Promise<SearchHit[]> {
    const [issues, comments] = await Promise.all([
      findIssues(this.#db, accountId, idsOf(page, ['issue', 'change_request'])),
      findComments(this.#db, accountId, idsOf(page, ['comment'])),
    ]);
    const headlines = await findHeadlines(this.#db, accountId, [
      ...new Set(comments.map(({ issue_id }) => issue_id)),
    ]);
    const issueOf = new Map(issues.map((issue) => [issue.id, issue]));
    const commentOf = new Map(comments.map((comment) => [comment.id, comment]));
    const headlineOf = new Map(headlines.map((issue) => [issue.id, issue]));
    const searched = search && searchedWords(search.query, (term) => isCommon(term, search.frequencies));
    const hits = page.flatMap(({ id, itemType, similarity, isNamed = false }): SearchHit[] => {
      const known = { similarity: isNamed ? 1 : (similarity ?? null) };
      if (itemType === 'comment') {
        const comment = commentOf.get(id);
        const issue = headlineOf.get(comment?.issue_id ?? '');
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

  /** Compares what was found by its words alone. */
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

const NOTHING_KNOWN: Frequencies = { documents: 0, occurrences: new Map() };

/** A title, or what was pasted: its first line says what it is about. */
function searchedText({ text }: ParsedQuery): SearchedText {
  const end = text.search(/[\r\n]/);
  return end < 0 ? { title: text, body: '' } : { title: text.slice(0, end), body: text.slice(end + 1) };
}

function comparable(title: string, body: string): SearchedText {
  return { title, body: body.slice(0, CHARACTERS_COMPARED) };
}

function highlightsOf(issue: IssueView, searched: Searched | null, isNamed: boolean): Highlight[] {
  if (searched === null) return [];
  return [
    ...(isNamed ? [{ field: 'key' as const, start: 0, end: issue.key.length }] : []),
    ...highlightsIn('title', issue.title, searched),
    ...highlightsIn('description', issue.description, searched),
  ];
}

function idsOf(items: readonly FoundItem[], types: readonly SearchItemType[]): string[] {
  return items.filter(({ itemType }) => types.includes(itemType)).map(({ id }) => id);
}

function without(types: readonly SearchItemType[], left: SearchItemType): SearchItemType[] {
  return types.filter((type) => type !== left);
}

function bySimilarity(
  one: { id: string; similarity: number },
  other: { id: string; similarity: number },
): number {
  return other.similarity - one.similarity || (one.id < other.id ? -1 : 1);
}
