import type { Evidence } from '@winnow/analysis/explain';
import { typicalProbability } from '@winnow/analysis/likelihood';
import type { AnalystVerdict } from '@winnow/analysis/verdict';
import { LIKELIHOOD, SIMILARITY } from '@winnow/contract/duplicate';
import type { BuiltInAnalyst } from '../ai/index.ts';
import { type FoundIssue, findIssues, type IssueView, type SearchedText } from '../issues/index.ts';
import { unavailable } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';

/**
 * Maximum number of candidates judged per draft ({@link MAX_JUDGED}), and of candidates returned
 * ({@link MAX_RETURNED}).
 */
const MAX_JUDGED = 10;
const MAX_RETURNED = 3;
/** Maximum number of shared passages returned per candidate. */
const MAX_SHARED_PASSAGES = 3;
/** Name of the draft in generated reasons, because a draft has no key. */
const DRAFT_NAME = 'the new issue';
/** Maximum number of characters compared per description. Longer texts would block the engine. */
const COMPARED_CHARS = 8_000;

const UNLIKELY = { probability: 0, isMutualBest: false };

/** Similarity of a candidate to the draft, and the likelihood that both are the same issue. */
interface Weighed {
  similarity: number;
  likelihood: NonNullable<FoundIssue['likelihood']>;
}

/** Title and description of a draft from which an issue may be created. */
export interface DraftTexts {
  title: string;
  description: string;
}

/** An issue that is similar to a draft. */
export interface SimilarIssue {
  issue: IssueView;
  similarity: number;
  decision: AnalystVerdict['decision'];
}

/** An issue that probably describes the same problem as a draft. */
export interface LikelyOriginal extends SimilarIssue {
  reason: string;
  /** Passages that occur both in the draft and in the issue. */
  shared: string[];
}

export interface LikelyOriginalsOptions {
  db: Db;
  /**
   * Returns the stored issues nearest to a text, best first. Returns null if the account's index is
   * not ready.
   */
  nearest: (accountId: string, text: SearchedText, limit: number) => Promise<FoundIssue[] | null>;
  /**
   * Returns the similarity of a text to each of the other texts. Returns null if the account's
   * index is not ready.
   */
  compare: (
    accountId: string,
    text: SearchedText,
    others: SearchedText[],
  ) => Promise<(number | null)[] | null>;
  analyst: BuiltInAnalyst;
  explain: (accountId: string, first: SearchedText, second: SearchedText) => Promise<Evidence>;
}

/** Before an issue is created, finds existing issues that it would duplicate. */
export class LikelyOriginals {
  readonly #options: LikelyOriginalsOptions;

  constructor(options: LikelyOriginalsOptions) {
    this.#options = options;
  }

  /**
   * Returns open and closed issues of the account that resemble a draft, best first. Throws
   * `unavailable` while the index is not ready.
   *
   * `likely` contains issues that are probably the same. The built-in analyst calls them
   * duplicates, or their probability is at least `LIKELIHOOD.sure` and no difference was found.
   * `near` contains other similar issues.
   */
  async find(
    accountId: string,
    texts: DraftTexts,
  ): Promise<{ likely: LikelyOriginal[]; near: SimilarIssue[] }> {
    const { db, nearest, explain } = this.#options;
    const draft = comparedTexts(texts);
    const nearestOnes = await nearest(accountId, draft, MAX_JUDGED);
    if (nearestOnes === null) {
      throw unavailable('Similar issues cannot be searched yet: the index is being updated. Try again.', 5);
    }
    const foundOf = new Map(nearestOnes.map((found) => [found.issueId, found]));
    const issues = await findIssues(db, accountId, [...foundOf.keys()]);
    const candidates = issues.map((issue) => {
      const { similarity = 0, likelihood } = foundOf.get(issue.id) ?? {};
      return { issue, key: issue.key, texts: issue, similarity, likelihood: likelihood ?? UNLIKELY };
    });
    const judged = await this.#judge(accountId, texts, candidates);
    const likely = judged.filter(({ isSame }) => isSame).slice(0, MAX_RETURNED);
    return {
      likely: await Promise.all(
        likely.map(async ({ issue, similarity, decision, reason }) => {
          const { shared } = await explain(accountId, comparedTexts(issue), draft);
          return {
            issue,
            similarity,
            decision,
            reason,
            shared: shared.slice(0, MAX_SHARED_PASSAGES).map(({ text }) => text),
          };
        }),
      ),
      near: judged
        .filter((candidate) => !candidate.isSame && isNear(candidate))
        .slice(0, MAX_RETURNED)
        .map(({ issue, similarity, decision }) => ({ issue, similarity, decision })),
    };
  }

  /**
   * Returns the index in `others` of the first draft that seems to describe the same issue; null if
   * none does.
   */
  async indexOfSame(
    accountId: string,
    texts: DraftTexts,
    others: readonly DraftTexts[],
  ): Promise<number | null> {
    if (others.length === 0) return null;
    const similarities = await this.#options.compare(
      accountId,
      comparedTexts(texts),
      others.map(comparedTexts),
    );
    const candidates = others.flatMap((other, place) => {
      const similarity = similarities?.[place] ?? 0;
      // Drafts are not indexed, so their similarity is the only known feature.
      const likelihood = { probability: typicalProbability(similarity), isMutualBest: true };
      return similarity >= SIMILARITY.near
        ? [{ place, key: DRAFT_NAME, texts: other, similarity, likelihood }]
        : [];
    });
    const judged = await this.#judge(accountId, texts, candidates);
    return judged.find(({ isSame }) => isSame)?.place ?? null;
  }

  /**
   * Judges each candidate against the draft. `isSame` is true if both probably describe the same
   * issue.
   */
  async #judge<T extends Weighed & { key: string; texts: DraftTexts }>(
    accountId: string,
    draft: DraftTexts,
    candidates: readonly T[],
  ): Promise<(T & AnalystVerdict & { isSame: boolean })[]> {
    const verdicts = await this.#options.analyst.judge(
      accountId,
      candidates.map(({ key, texts, similarity, likelihood }) => ({
        first: { key, ...comparedTexts(texts) },
        second: { key: DRAFT_NAME, ...comparedTexts(draft) },
        similarity,
        likelihood: { ...likelihood, seriesFrame: null },
      })),
    );
    return candidates.flatMap((candidate, index) => {
      const verdict = verdicts[index];
      if (!verdict) return [];
      return [{ ...candidate, ...verdict, isSame: isSame(candidate, verdict) }];
    });
  }
}

function comparedTexts({ title, description }: DraftTexts): SearchedText {
  return { title, body: description.slice(0, COMPARED_CHARS) };
}

function isSame({ likelihood }: Weighed, { decision, difference }: AnalystVerdict): boolean {
  return decision === 'duplicate' || (likelihood.probability >= LIKELIHOOD.sure && difference === null);
}

function isNear({ similarity, likelihood }: Weighed): boolean {
  return similarity >= SIMILARITY.near || likelihood.probability >= LIKELIHOOD.likely;
}
