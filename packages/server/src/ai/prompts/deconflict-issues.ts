import type { DeconflictSuggestion } from '@winnow/analysis/suggest';
import { z } from 'zod';
import type { Fence } from '../fence.ts';
import { bothIssues, type TextsForModel } from './issue-pair.ts';
import { definePrompt } from './prompt.ts';
import { dataRule, descriptionText, titleText, WRITING_RULES } from './rules.ts';

/** Rewrites two overlapping issues so that they differ clearly. Both stay open. */
export const deconflictIssuesPrompt = definePrompt({
  id: 'deconflict-issues',
  version: 3,
  system: (fence: Fence) =>
    `You rewrite two issues of an issue tracker that overlap, so that each asks for something the other does not. Both stay open.

Each title names what sets its issue apart. Each description keeps what belongs to its issue and leaves out what belongs to the other alone; it does not describe the other issue. Where nothing sets them apart, leave the texts as they are and say so in the explanation.
${WRITING_RULES}

${dataRule(fence)}

Respond with one JSON object and nothing else:
{"title1": one line, "description1": Markdown, "title2": one line, "description2": Markdown, "explanation": one or two plain sentences}`,
  render: (input: TextsForModel<DeconflictSuggestion>, fence: Fence) =>
    [
      ...bothIssues(input, fence),
      fence.line('A rule-based suggestion for title 1', input.builtIn.title1),
      fence.line('A rule-based suggestion for title 2', input.builtIn.title2),
      'Rewrite both.',
    ].join('\n\n'),
  answer: z.object({
    title1: titleText,
    description1: descriptionText,
    title2: titleText,
    description2: descriptionText,
    explanation: z.string(),
  }),
  maxOutputTokens: 16_000,
});
