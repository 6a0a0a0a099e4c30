import fc from 'fast-check';
import {
  builtInPrompts,
  type Criterion,
  type EvaluatedIssue,
  type Evaluation,
  evaluate,
} from '../../readiness.ts';

const [dor, invest, risk, complexity] = builtInPrompts.map(({ criteria }) => criteria);

export { complexity, invest, risk };
export const all = [dor, invest, risk, complexity].map((criteria) => criteria ?? []);
export const readyCriteria: readonly Criterion[] = dor ?? [];

export function issue(title: string, body: string, type = 'feature'): EvaluatedIssue {
  return { title, body, type, labels: [] };
}

export function ready(title: string, body: string, type = 'feature'): Evaluation {
  return evaluate(issue(title, body, type), readyCriteria);
}

/** Lines of all kinds that a description may contain, including malicious ones. */
const words = fc.constantFrom(
  'The export',
  'should show',
  'an error',
  'because users',
  'when',
  'after 5 minutes',
  '`upload.ts`',
  '#12',
  'blocked by',
  'only',
  'must not',
  'Steps:',
  'läuft nicht',
  '期待する結果',
  '表示されない。',
  'TBD',
  '🙏',
  '_To clarify: What?_',
);
const sentence = fc.array(words, { minLength: 1, maxLength: 9 }).map((parts) => `${parts.join(' ')}.`);
export const line = fc.oneof(
  { weight: 6, arbitrary: sentence },
  { weight: 2, arbitrary: sentence.map((text) => `- ${text}`) },
  { weight: 1, arbitrary: sentence.map((text) => `1. ${text}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '',
      '## Goal',
      '### Acceptance criteria',
      '**Expected**',
      'Steps to reproduce:',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '```',
      '~~~~',
      '<!--',
      '-->',
      '<details>',
      '</details>',
      '> quoted',
      '| a | b |',
      '|---|---|',
      '    code',
      '===',
      '---',
      '- [ ] ',
      '* ',
      '![x](y.png)',
      '\tat a.b.C.d(C.java:1)',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n', '\n\n'))
  .map(([lines, gap]) => lines.join(gap));
export const anyIssue = fc.record({
  title: fc.oneof(
    sentence,
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constant('BUG: IT DOES NOT WORK!!!'),
  ),
  body: text,
  type: fc.constantFrom('bug', 'feature', 'task', 'question', ''),
  labels: fc.constantFrom([], ['bug'], ['enhancement']),
});
export const anyCriteria = fc.constantFrom(...all);
