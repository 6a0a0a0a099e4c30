import { z } from 'zod';
import type { Fence } from '../fence.ts';
import { definePrompt } from './prompt.ts';
import { dataRule } from './rules.ts';

/** Issues, and the dependencies between them that rules found. */
export interface IssuesForModel {
  issues: readonly { key: string; title: string; body: string }[];
  /** Dependencies as zero-based indexes into `issues`. */
  found: readonly { source: number; dependent: number }[];
}

/** Finds which issues must be finished before others. */
export const findDependenciesPrompt = definePrompt({
  id: 'find-dependencies',
  version: 3,
  system: (fence: Fence) =>
    `You read issues of an issue tracker together and find dependencies, where one issue must be finished before another: it delivers what the other needs, decides what the other builds on, or removes what blocks it.

Similar issues, duplicates, alternatives, "see also" and a merely convenient order are not dependencies. Name few, and only those that a planner who reads both texts would confirm. For each, quote letter by letter a passage of both that shows it, and say in one sentence why it is in this direction.

${dataRule(fence)}

Respond with one JSON object and nothing else:
{"dependencies": [{"first": number of the issue that has to be finished first, "after": number of the issue that waits for it, "first_quote": a short passage of the first, "after_quote": a short passage of the other, "reason": one plain sentence, "confidence": a number from 0 to 1}]}, with an empty list when there are none`,
  render: ({ issues, found }: IssuesForModel, fence: Fence) =>
    [
      ...issues.flatMap(({ key, title, body }, index) => [
        `Issue ${index + 1}`,
        fence.line('Its key', key),
        fence.line('Its title', title),
        fence.text('Its description', body, MAX_PROMPT_DESCRIPTION_CHARS),
      ]),
      found.length === 0
        ? 'Rules found none among them.'
        : `Rules found: ${found.map(({ source, dependent }) => `${source + 1} before ${dependent + 1}`).join(', ')}. Leave these out.`,
      'Which other dependencies are there?',
    ].join('\n\n'),
  // Limits are zod refinements, so they are not part of the JSON schema. Some providers reject
  // schemas with limits.
  answer: z.object({
    dependencies: z.array(
      z.object({
        first: z.number(),
        after: z.number(),
        first_quote: z.string(),
        after_quote: z.string(),
        reason: z.string(),
        confidence: z.number().refine((share) => share >= 0 && share <= 1, 'Give a number from 0 to 1.'),
      }),
    ),
  }),
  maxOutputTokens: 6_000,
});

/**
 * Maximum length of each description in the prompt, in UTF-16 code units. Short enough for a page
 * of issues to fit into one prompt.
 */
const MAX_PROMPT_DESCRIPTION_CHARS = 2_000;
