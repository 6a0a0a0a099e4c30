import { createHash } from 'node:crypto';
import { RULES_VERSION } from '@winnow/analysis/readiness/version';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { IssueState } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { StoredModel } from '../ai/model.ts';
import { evaluateIssuePrompt } from '../ai/prompts/evaluate-issue.ts';
import { questionHash } from '../ai/question-hash.ts';
import { contentHashOf } from '../issues/content-hash.ts';
import type { IssueView } from '../issues/service.ts';

/** Who judges by a prompt as it is now, each as a hash of all that is not the issue. */
export interface Judges {
  first: Buffer;
  /** Who answers where the first one has nothing to say of an issue. */
  instead: Buffer | null;
}

/** An issue with the texts it has, to be judged by a prompt. */
export interface ResultKey {
  readonly issueId: string;
  readonly promptId: string;
  readonly promptVersion: number;
  /** SHA-256 of the two that follow. */
  readonly questionHash: Buffer;
  /** Who judges, as {@link Judges} has it. */
  readonly judgedAs: Buffer;
  /** The content hashes of an issue with these texts: that a state is another makes no issue readier. */
  readonly contents: readonly string[];
}

/** A model where one works for the account, with the built-in analyst behind; else that one alone. */
export function judgesOf(prompt: CompliancePrompt, model: StoredModel | null): Judges {
  const builtIn = builtInJudge(prompt);
  return model === null
    ? { first: builtIn, instead: null }
    : { first: modelJudge(prompt, model), instead: builtIn };
}

/** An issue as it is now, to be judged by a model, or by the built-in analyst. */
export function keyOf(issue: IssueView, prompt: CompliancePrompt, model: StoredModel | null): ResultKey {
  const judgedAs = judgesOf(prompt, model).first;
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

/** What the built-in analyst's answers depend on: the criteria, and the rules themselves. */
function builtInJudge({ id, version, criteria }: CompliancePrompt): Buffer {
  const asked = criteria.map((criterion) => [criterion.id, criterion.weight, criterion.check]);
  const all = JSON.stringify([BUILT_IN_ANALYST, RULES_VERSION, id, version, asked]);
  return createHash('sha256').update(all).digest();
}
