import { createHash } from 'node:crypto';
import { RULES_VERSION } from '@winnow/analysis/readiness/version';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { IssueState } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { evaluateIssuePrompt, questionHash, type StoredModel } from '../ai/index.ts';
import { contentHashOf, type IssueView } from '../issues/index.ts';

/**
 * The analysts whose results count for a prompt. Each is identified by a hash of all its inputs
 * except the issue, such as the version of the prompt.
 */
export interface Judges {
  primary: Buffer;
  /** Analyst that is used if the primary one gives no result; null if there is none. */
  fallback: Buffer | null;
}

/** Key of a result: the issue's texts, judged by an analyst with a prompt. */
export interface ResultKey {
  readonly issueId: string;
  readonly promptId: string;
  readonly promptVersion: number;
  /** SHA-256 of `judgedAs` and the texts. */
  readonly questionHash: Buffer;
  /** Hash that identifies the analyst, as in {@link Judges}. */
  readonly judgedAs: Buffer;
  /**
   * Content hashes of these texts for an open and for a closed issue. The result is valid for both.
   */
  readonly contents: readonly string[];
}

/**
 * Returns the model, with the built-in analyst as its fallback. If `model` is null, returns the
 * built-in analyst without a fallback.
 */
export function judgesOf(prompt: CompliancePrompt, model: StoredModel | null): Judges {
  const builtIn = builtInJudge(prompt);
  return model === null
    ? { primary: builtIn, fallback: null }
    : { primary: modelJudge(prompt, model), fallback: builtIn };
}

/**
 * Returns the key of the result for an issue's current texts. If `model` is null, the key is that
 * of the built-in analyst.
 */
export function resultKeyOf(
  issue: IssueView,
  prompt: CompliancePrompt,
  model: StoredModel | null,
): ResultKey {
  const judgedAs = judgesOf(prompt, model).primary;
  const { title, description, issue_type: issueType, labels } = issue;
  const contentOf = (state: IssueState) => contentHashOf({ title, description, state, issueType, labels });
  const opened = contentOf('opened');
  return {
    issueId: issue.id,
    promptId: prompt.id,
    promptVersion: prompt.version,
    questionHash: createHash('sha256').update(judgedAs).update(opened).digest(),
    judgedAs,
    contents: [opened, contentOf('closed')],
  };
}

function modelJudge({ id, version }: CompliancePrompt, model: StoredModel): Buffer {
  return questionHash(evaluateIssuePrompt, model, [id, version]);
}

/**
 * Returns the hash of all inputs of the built-in analyst except the issue: the criteria and the
 * version of its rules.
 */
function builtInJudge({ id, version, criteria }: CompliancePrompt): Buffer {
  const asked = criteria.map((criterion) => [criterion.id, criterion.weight, criterion.check]);
  const all = JSON.stringify([BUILT_IN_ANALYST, RULES_VERSION, id, version, asked]);
  return createHash('sha256').update(all).digest();
}
