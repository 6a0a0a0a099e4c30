import { z } from 'zod';
import type { Fence } from '../fence.ts';
import { definePrompt } from './prompt.ts';
import { dataRule } from './rules.ts';

/** Some issues, and what was found among them by rules. */
export interface IssuesForModel {
  issues: readonly { key: string; title: string; body: string }[];
  /** By places in `issues`, from 0. */
  found: readonly { source: number; dependent: number }[];
}

/** What has to be finished before what, among some issues. */
export const findDependenciesPrompt = definePrompt({
  id: 'find-dependencies',
  version: 2,
  system: (fence: Fence) =>
    `You read issues of an issue tracker together and say which has to be finished before which other one can be: one delivers what the other needs, decides what the other builds on, or removes what stands in its way.

About the same thing, alike, a duplicate, an alternative, "see also", or merely better done first: none of these is a dependency. Name few, and only what a planner would agree to who reads both texts. For each, quote letter by letter a passage of both that shows it, and say in one sentence why it is in this direction.

${dataRule(fence)}

Answer with one JSON object and nothing else:
{"dependencies": [{"first": number of the issue that has to be finished first, "after": number of the issue that waits for it, "first_quote": a short passage of the first, "after_quote": a short passage of the other, "reason": one plain sentence, "confidence": a number from 0 to 1}]}, with an empty list when there are none`,
  render: ({ issues, found }: IssuesForModel, fence: Fence) =>
    [
      ...issues.flatMap(({ key, title, body }, index) => [
        `Issue ${index + 1}`,
        fence.line('Its key', key),
        fence.line('Its title', title),
        fence.text('Its description', body, LONGEST_SHOWN),
      ]),
      found.length === 0
        ? 'Rules found none among them.'
        : `Rules found: ${found.map(({ source, dependent }) => `${source + 1} before ${dependent + 1}`).join(', ')}. Leave these out.`,
      'Which others has to be finished before which?',
    ].join('\n\n'),
  // Bounds stand in refinements: some providers refuse a schema that has them.
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

/** Of each description so much is shown, so that a page of issues fits into one question. */
const LONGEST_SHOWN = 2_000;
