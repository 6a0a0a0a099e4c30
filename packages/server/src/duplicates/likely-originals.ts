import type { Evidence } from '@winnow/analysis/explain';
import type { Judgment } from '@winnow/analysis/judge';
import { SIMILARITY } from '@winnow/contract/duplicate';
import type { BuiltInAnalyst } from '../ai/analyst.ts';
import type { FoundIssue, SearchedText } from '../issues/engine/messages.ts';
import { findIssues, type IssueView } from '../issues/service.ts';
import { unavailable } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';

/** Of the issues nearest to a draft, so many are judged, and so many answered. */
const JUDGED = 10;
const ANSWERED = 3;
/** Shared passages that are shown of each. */
const SHARED_SHOWN = 3;
/** How an issue is called that has no key yet. */
const DRAFT = 'the new issue';
/** Of a text, so many characters are compared: what it is about stands there, and others wait meanwhile. */
const READ = 8_000;

const UNLIKELY = { probability: 0, isMutualBest: false };

/** A title and a text that may become an issue. */
export interface DraftTexts {
  title: string;
  description: string;
}

/** An issue that is like a draft. */
export interface SimilarIssue {
  issue: IssueView;
  similarity: number;
  decision: Judgment['decision'];
}

/** An issue that seems to say what a draft says. */
export interface LikelyOriginal extends SimilarIssue {
  reason: string;
  /** Passages that both have. */
  shared: string[];
}

export interface LikelyOriginalsOptions {
  db: Db;
  /**
   * The issues nearest to a text, best first, among all that are stored; null while that cannot be told, since the
   * account's index is still being loaded or brought up to date.
   */
  nearest: (accountId: string, text: SearchedText, limit: number) => Promise<FoundIssue[] | null>;
  /** How similar a text is to each of the others; null while the account's index is being loaded. */
  compare: (
    accountId: string,
    text: SearchedText,
    others: SearchedText[],
  ) => Promise<(number | null)[] | null>;
  analyst: BuiltInAnalyst;
  explain: (accountId: string, first: SearchedText, second: SearchedText) => Promise<Evidence>;
}

/** Finds what a new issue would be a duplicate of, before it is made. */
export class LikelyOriginals {
  readonly #options: LikelyOriginalsOptions;

  constructor(options: LikelyOriginalsOptions) {
    this.#options = options;
  }

  /**
   * The issues of the account, open or closed, that the built-in analyst takes for the same as this draft, or that are so
   * similar that nine in ten such pairs are true duplicates, best first; and others that come near. 503 while nothing can be
   * compared yet.
   */
  async find(
    accountId: string,
    texts: DraftTexts,
  ): Promise<{ likely: LikelyOriginal[]; near: SimilarIssue[] }> {
    const { db, nearest, explain } = this.#options;
    const draft = readOf(texts);
    const nearestOnes = await nearest(accountId, draft, JUDGED);
    if (nearestOnes === null) {
      throw unavailable(
        'Similar issues cannot be looked for yet, the index is being brought up to date. Try again.',
        5,
      );
    }
    const foundOf = new Map(nearestOnes.map((found) => [found.issueId, found]));
    const issues = await findIssues(db, accountId, [...foundOf.keys()]);
    const candidates = issues.map((issue) => {
      const { similarity = 0, likelihood } = foundOf.get(issue.id) ?? {};
      return { issue, key: issue.key, texts: issue, similarity, likelihood: likelihood ?? UNLIKELY };
    });
    const judged = await this.#judge(accountId, texts, candidates);
    const likely = judged.filter(({ isSame }) => isSame).slice(0, ANSWERED);
    return {
      likely: await Promise.all(
        likely.map(async ({ issue, similarity, decision, reason }) => {
          const { shared } = await explain(accountId, readOf(issue), draft);
          return {
            issue,
            similarity,
            decision,
            reason,
            shared: shared.slice(0, SHARED_SHOWN).map(({ text }) => text),
          };
        }),
      ),
      near: judged
        .filter(({ isSame, similarity }) => !isSame && similarity >= SIMILARITY.near)
        .slice(0, ANSWERED)
        .map(({ issue, similarity, decision }) => ({ issue, similarity, decision })),
    };
  }

  /** The first of other drafts that seems to say what this one says, by its place among them; null when none does. */
  async sameAmong(
    accountId: string,
    texts: DraftTexts,
    others: readonly DraftTexts[],
  ): Promise<number | null> {
    if (others.length === 0) return null;
    const similarities = await this.#options.compare(accountId, readOf(texts), others.map(readOf));
    const candidates = others.flatMap((other, place) => {
      const similarity = similarities?.[place] ?? 0;
      // Nothing but the similarity is known of two drafts.
      const likelihood = { probability: similarity, isMutualBest: true };
      return similarity >= SIMILARITY.near
        ? [{ place, key: DRAFT, texts: other, similarity, likelihood }]
        : [];
    });
    const judged = await this.#judge(accountId, texts, candidates);
    return judged.find(({ isSame }) => isSame)?.place ?? null;
  }

  /** What each candidate is to a draft, and whether the two are to be one. */
  async #judge<
    T extends {
      key: string;
      texts: DraftTexts;
      similarity: number;
      likelihood: NonNullable<FoundIssue['likelihood']>;
    },
  >(
    accountId: string,
    draft: DraftTexts,
    candidates: readonly T[],
  ): Promise<(T & Judgment & { isSame: boolean })[]> {
    const judgments = await this.#options.analyst.judge(
      accountId,
      candidates.map(({ key, texts, similarity, likelihood }) => ({
        first: { key, ...readOf(texts) },
        second: { key: DRAFT, ...readOf(draft) },
        similarity,
        likelihood: { ...likelihood, seriesFrame: null },
      })),
    );
    return candidates.flatMap((candidate, index) => {
      const judgment = judgments[index];
      if (!judgment) return [];
      return [{ ...candidate, ...judgment, isSame: isLikely(candidate.similarity, judgment) }];
    });
  }
}

function readOf({ title, description }: DraftTexts): SearchedText {
  return { title, body: description.slice(0, READ) };
}

function isLikely(similarity: number, { decision, difference }: Judgment): boolean {
  return decision === 'duplicate' || (similarity >= SIMILARITY.precise && difference === null);
}
