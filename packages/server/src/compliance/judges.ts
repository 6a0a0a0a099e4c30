import { createHash } from 'node:crypto';
import { RULES_VERSION } from '@winnow/analysis/readiness/version';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { IssueState } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { evaluateIssuePrompt, questionHash, type StoredModel } from '../ai/index.ts';
import { contentHashOf, type IssueView } from '../issues/index.ts';

/**
 * The analysts that judge by the current prompt. Each is identified by a hash of all its inputs
 * except the issue, such as the prompt version.
 */
export interface Judges {
  primary: Buffer;
  /** Analyst that judges if the first one returns nothing. Null if there is none. */
  fallback: Buffer | null;
}

/** Identifies the result of judging an issue's texts by a prompt. */
export interface ResultKey {
  readonly issueId: string;
  readonly promptId: string;
  readonly promptVersion: number;
  /** SHA-256 of `judgedAs` and the texts. */
  readonly questionHash: Buffer;
  /** Hash of the analyst, as in {@link Judges}. */
  readonly judgedAs: Buffer;
  /** Content hashes for these texts in any state: open or closed does not affect readiness. */
  readonly contents: readonly string[];
}

/**
 * Returns the model with the built-in analyst as its fallback. Without a model, returns the
 * built-in analyst alone.
 */
export function judgesOf(prompt: CompliancePrompt, model: StoredModel | null): Judges {
  const builtIn = builtInJudge(prompt);
  return model === null
    ? { primary: builtIn, fallback: null }
    : { primary: modelJudge(prompt, model), fallback: builtIn };
}

/** Returns the key of an issue's current texts, judged by a model or by the built-in analyst. */
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

/** Hashes the inputs of the built-in analyst: the criteria and the version of its rules. */
function builtInJudge({ id, version, criteria }: CompliancePrompt): Buffer {
  const asked = criteria.map((criterion) => [criterion.id, criterion.weight, criterion.check]);
  const all = JSON.stringify([BUILT_IN_ANALYST, RULES_VERSION, id, version, asked]);
  return createHash('sha256').update(all).digest();
}
