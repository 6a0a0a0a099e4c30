import type { MergeSuggestion } from '@winnow/analysis/suggest';
import { z } from 'zod';
import type { Fence } from '../fence.ts';
import { bothIssues, type TextsForModel } from './issue-pair.ts';
import { definePrompt } from './prompt.ts';
import { dataRule, descriptionText, titleText, WRITING_RULES } from './rules.ts';

/**
 * Merges two issues: writes one title and description for both. The second issue is merged into the
 * first.
 */
export const mergeIssuesPrompt = definePrompt({
  id: 'merge-issues',
  version: 3,
  system: (fence: Fence) =>
    `You write one issue out of two that ask for the same work, for an issue tracker. Issue 2 is merged into issue 1 and then closed.

The title says what both are about. The description holds every distinct statement of both, each once, under the headings that the issues use. Where they contradict each other, keep both statements and say which issue says which.
${WRITING_RULES}

${dataRule(fence)}

Respond with one JSON object and nothing else:
{"title": one line, "description": Markdown, "explanation": one or two plain sentences on what was taken from where}`,
  render: (input: TextsForModel<MergeSuggestion>, fence: Fence) =>
    [
      ...bothIssues(input, fence),
      fence.text(
        'A rule-based suggestion for the description, complete but poorly written',
        input.builtIn.description,
      ),
      'Write the merged issue.',
    ].join('\n\n'),
  answer: z.object({ title: titleText, description: descriptionText, explanation: z.string() }),
  maxOutputTokens: 12_000,
});
