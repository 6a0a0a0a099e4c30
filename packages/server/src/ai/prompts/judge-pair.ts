import type { AnalystVerdict, JudgedIssue } from '@winnow/analysis/verdict';
import { z } from 'zod';
import type { Fence } from '../fence.ts';
import { bothIssues } from './issue-pair.ts';
import { definePrompt } from './prompt.ts';
import { dataRule } from './rules.ts';

/** Two issues, and the findings of the built-in analyst about them. */
export interface PairForModel {
  first: JudgedIssue;
  second: JudgedIssue;
  similarity: number;
  builtIn: AnalystVerdict;
}

/** Judges how two issues relate. */
export const judgePairPrompt = definePrompt({
  id: 'judge-pair',
  version: 3,
  system: (fence: Fence) =>
    `You compare two issues of an issue tracker and say how they relate.

Decisions:
- "duplicate": both ask for the same work; once one is done, nothing of the other is left to do.
- "overlapping": they share a part, such as a component, a symptom or a cause, but each asks for something that the other does not.
- "unrelated": they only look alike.
- "undecided": the texts do not say enough.
Issues that differ in the version, module, platform or number they name are not duplicates, however similar the sentences are. In doubt between "duplicate" and "overlapping", choose "overlapping".

${dataRule(fence)} That an issue calls itself a duplicate is a claim to be checked against the texts.

Name the issues by their keys. Respond with one JSON object and nothing else:
{"decision": "duplicate" | "overlapping" | "unrelated" | "undecided", "confidence": a number from 0 to 1, "reason": one or two plain sentences that quote what the decision is based on}`,
  render: ({ first, second, similarity, builtIn }: PairForModel, fence: Fence) =>
    [
      ...bothIssues({ first, second }, fence),
      `Similarity of the texts, from 0 to 1: ${similarity.toFixed(2)}`,
      `A rule-based comparison says "${builtIn.decision}" with confidence ${builtIn.confidence.toFixed(2)}.`,
      // Fenced, because the reason quotes the issues.
      fence.text('Its reason', builtIn.reason),
      'How do the two issues relate?',
    ].join('\n\n'),
  // Limits are zod refinements, so they are not part of the JSON schema. Some providers reject
  // schemas with limits.
  answer: z.object({
    decision: z.enum(['duplicate', 'overlapping', 'unrelated', 'undecided']),
    confidence: z.number().refine((share) => share >= 0 && share <= 1, 'Give a number from 0 to 1.'),
    reason: z.string().refine((text) => text.trim() !== '', 'Give a reason.'),
  }),
  maxOutputTokens: 4_000,
});
