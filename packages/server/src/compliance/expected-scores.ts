import { DEFAULT_PROMPT } from '@winnow/contract/compliance';
import {
  createFence,
  evaluateIssuePrompt,
  MAX_SHOWN_CHARS,
  type Questions,
  type StoredModel,
} from '../ai/index.ts';
import type { Db } from '../schema/tables.ts';
import { unscoredTexts } from './current-store.ts';
import { judgesOf } from './judges.ts';
import type { Prompts } from './prompts.ts';

/**
 * Typical number of output tokens per criterion. An answer contains a sentence, a quote and a
 * suggestion.
 */
const OUTPUT_TOKENS_PER_CRITERION = 90;

/**
 * Estimates the model calls for scoring all open issues by the default prompt. `model` is null if
 * it is not stored yet.
 */
export async function expectedScores(
  { db, prompts }: { db: Db; prompts: Prompts },
  accountId: string,
  model: StoredModel | null,
): Promise<Questions> {
  const prompt = await prompts.findPromptById(accountId, DEFAULT_PROMPT);
  const judge = model && judgesOf(prompt, model).primary;
  const unscored = await unscoredTexts(db, accountId, {
    promptId: prompt.id,
    judge,
    longest: MAX_SHOWN_CHARS.text,
  });
  const fence = createFence();
  const criteria = prompt.criteria.map(({ id }) => ({ id, score: 0.5, note: '', evidence: [], fix: null }));
  const builtIn = { factor: 0.5, criteria, reason: '', suggestion: null, estimate: null };
  const issue = { title: '', body: '', type: 'issue', labels: [] } as const;
  const withoutTexts =
    evaluateIssuePrompt.system(fence).length +
    evaluateIssuePrompt.render({ key: 'KEY-1', issue, prompt, builtIn }, fence).length;
  return {
    calls: unscored.issues,
    characters: unscored.characters + unscored.issues * withoutTexts,
    outputTokens: unscored.issues * prompt.criteria.length * OUTPUT_TOKENS_PER_CRITERION,
  };
}
