import type { DeconflictSuggestion, MergeSuggestion, SuggestedIssue } from '@winnow/analysis/suggest';
import type { Suggestion, SuggestionRequest } from '@winnow/contract/suggestion';
import { findIssues, type IssueView, mention, toMentionedIssue } from '../issues/index.ts';
import { invalid, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';

/** An issue for which texts are suggested. */
type IssueToWrite = SuggestedIssue & { id: string };

/** Two issues for which texts are suggested. A merge writes into the first issue. */
export interface IssuesToWrite {
  first: IssueToWrite;
  second: IssueToWrite;
}

/** Suggested texts, with the model or analyst that wrote them. */
export type Written<Texts> = Texts & { author: { aiModelId: string | null; name: string } };

/**
 * Suggests texts for a pair. Implemented by the built-in analyst, and by a language model that
 * falls back to it.
 */
export interface SuggestionWriter {
  merge(accountId: string, issues: IssuesToWrite): Promise<Written<MergeSuggestion>>;
  deconflict(accountId: string, issues: IssuesToWrite): Promise<Written<DeconflictSuggestion>>;
}

/**
 * Suggests texts that would resolve a pair. People can edit them; nothing is written to a tracker.
 */
export class Suggestions {
  readonly #db: Db;
  readonly #writer: SuggestionWriter;

  constructor({ db, writer }: { db: Db; writer: SuggestionWriter }) {
    this.#db = db;
    this.#writer = writer;
  }

  /**
   * Suggests one text for a merge, or two distinct texts for a deconflict. Throws `not_found` for
   * an unknown issue.
   */
  async suggest(accountId: string, request: SuggestionRequest): Promise<Suggestion> {
    const { issue1_id, issue2_id, resolution } = request;
    if (issue1_id === issue2_id) {
      throw invalid([{ path: 'issue2_id', message: 'The two issues must differ.' }]);
    }
    const found = await findIssues(this.#db, accountId, [issue1_id, issue2_id]);
    const first = found.find(({ id }) => id === issue1_id);
    const second = found.find(({ id }) => id === issue2_id);
    if (!first || !second) throw notFound();
    const issues = { first: suggestedIssue(first, second), second: suggestedIssue(second, first) };
    switch (resolution) {
      case 'merged':
        return presentMerge(await this.#writer.merge(accountId, issues));
      case 'deconflicted':
        return presentDeconflict(await this.#writer.deconflict(accountId, issues));
    }
  }
}

function suggestedIssue(issue: IssueView, reader: IssueView): IssueToWrite {
  const { id, key, title, description } = issue;
  return {
    id,
    key,
    title,
    body: description,
    mention: mention(toMentionedIssue(issue), toMentionedIssue(reader)),
  };
}

const NOT_ASKED_FOR = {
  merged_title: null,
  merged_description: null,
  deconflicted_title1: null,
  deconflicted_description1: null,
  deconflicted_title2: null,
  deconflicted_description2: null,
} as const;

function presentMerge(given: Written<MergeSuggestion>): Suggestion {
  return {
    ...NOT_ASKED_FOR,
    merged_title: given.title,
    merged_description: given.description,
    merged_sources: given.sources,
    ...signature(given),
  };
}

function presentDeconflict(given: Written<DeconflictSuggestion>): Suggestion {
  return {
    ...NOT_ASKED_FOR,
    merged_sources: [],
    deconflicted_title1: given.title1,
    deconflicted_description1: given.description1,
    deconflicted_title2: given.title2,
    deconflicted_description2: given.description2,
    ...signature(given),
  };
}

function signature({ explanation, author }: Written<{ explanation: string }>) {
  return { explanation, ai_model_id: author.aiModelId, ai_model_name: author.name };
}
