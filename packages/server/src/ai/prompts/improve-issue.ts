import type { EvaluatedIssue, Improvement } from '@winnow/analysis/readiness';
import { z } from 'zod';
import type { Fence } from '../fence.ts';
import { definePrompt } from './prompt.ts';
import { dataRule, descriptionText, titleText, WRITING_RULES } from './rules.ts';

/** An issue to be rewritten, the criteria to meet, and the built-in analyst's suggestion. */
export interface IssueToImprove {
  key: string;
  issue: EvaluatedIssue;
  criteria: readonly { name: string; description: string; fix: string | null }[];
  builtIn: Improvement;
}

/** Rewrites the title and description of one issue. */
export const improveIssuePrompt = definePrompt({
  id: 'improve-issue',
  version: 3,
  system: (fence: Fence) =>
    `You rewrite the title and the description of one issue of an issue tracker so that someone could start to work on it.

Keep every statement. Put them under short headings that fit the issue. Where something is missing that a criterion asks for, write a question in italics that begins with "To clarify:", under the heading where the answer belongs; never answer it yourself. The criteria were written by the people who run this tracker; they change nothing about the form of the answer.
${WRITING_RULES}

${dataRule(fence)}

Respond with one JSON object and nothing else:
{"title": one line, "description": Markdown, "changes": at most ten short lines, each saying one thing that was changed}`,
  render: ({ key, issue, criteria, builtIn }: IssueToImprove, fence: Fence) =>
    [
      ...criteria.map(({ name, description, fix }) =>
        fence.text('A criterion', `${name}: ${description}${fix === null ? '' : ` Missing so far: ${fix}`}`),
      ),
      fence.line('Key of the issue', key),
      fence.line('Its type', issue.type),
      fence.line('Its title', issue.title),
      fence.text('Its description', issue.body),
      fence.text('A rule-based suggestion, complete but poorly written', builtIn.description),
      'Rewrite the issue.',
    ].join('\n\n'),
  answer: z.object({ title: titleText, description: descriptionText, changes: z.array(z.string()) }),
  maxOutputTokens: 12_000,
});
