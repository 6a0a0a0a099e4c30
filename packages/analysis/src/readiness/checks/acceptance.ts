import { type CheckResult, scoreAspects, substanceOf } from '../criterion-score.ts';
import { quotes } from '../identifiers.ts';
import {
  contrastCue,
  degreeCue,
  desiredStateCue,
  occasionCue,
  quantityCue,
  symptomCue,
  visibleResultCue,
} from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';
import type { Evidence } from '../types.ts';

const GIVEN_WHEN_THEN =
  /^(?:given|when|then|and|scenario|angenommen|wenn|dann|étant donné|quand|alors|dado|cuando|entonces)\b/i;
/**
 * Matches an action of a person: after a subject, after a word such as “when”, or as an
 * instruction.
 */
const DOES =
  /(?:^|(?<!\p{L})(?:i|you|we|user|users|they|somebody|someone|then|and|when|after|if|by|once|while)(?: \p{L}{2,12}){0,2}[ ,]{1,2}|[,;] )(?:open|click|press|start|create|add|drop|upload|sav|renam|mov|delet|remov|restor|log in|sign in|run|select|enter|drag|set|install|go to|choos|edit|disconnect|restart|clos|shar|invit|search|switch|drag|paste|copy|unzip|download|resiz|scroll|chang|type|typ|wait|wak|link|unlink)\p{L}{0,5}(?!\p{L})|(?<!\p{L})(?:öffn|klick|benenn|lösch|speicher|ouvr|cliqu|supprim|abr|hago clic|guard)\p{L}{0,6}|クリック|開|押|選択|入力|実行/iu;
const MUST = /(?<!\p{L})(?:must|muss|müssen|doit|doivent|tiene que)(?!\p{L})/iu;

/** Number of testable statements for nearly two thirds of the maximum score. */
const TYPICAL_CHECK_COUNT = 1.6;
/**
 * Score of the steps to reproduce if a long description of the bug only implies them. A shorter
 * description implies less.
 */
const FAULT_DESCRIPTION_SCORE = 0.5;
/** Minimum score of the steps to reproduce at which they imply the expected result. */
const MIN_STEPS_SCORE = 0.45;
/** Score of the expected result if clear steps imply it. */
const IMPLIED_RESULT_SCORE = 0.4;

/**
 * Checks that the issue says how to verify that it is done. For a bug, steps and an expected result
 * also count.
 */
export function acceptanceOf(reading: Reading): CheckResult {
  const criteria = ofCriteria(reading);
  if (!reading.isBug) return criteria;
  const steps = ofSteps(reading);
  return steps.score >= criteria.score ? steps : criteria;
}

function asks(text: string): boolean {
  return /[?？]\s*$/.test(text);
}

/**
 * Returns how testable a statement is, from 0 to 1.2. Under a heading such as “Acceptance criteria”
 * it is at least 1.
 */
export function testability(
  { text, topic, kind, words }: Omit<Statement, keyof Evidence>,
  isBug: boolean,
): number {
  if (words < 3 || topic === 'bounds' || topic === 'questions' || topic === 'approach') return 0;
  const isPrecise = quantityCue(text) || quotes(text);
  if (topic === 'acceptance' || topic === 'expected') return isPrecise ? 1.2 : 1;
  const isNorm = desiredStateCue(text) || GIVEN_WHEN_THEN.test(text);
  if (!isNorm) {
    if (words < 4) return 0;
    if (kind === 'prose') return isPrecise && !isBug ? 0.3 : 0;
    return isPrecise ? 0.55 : visibleResultCue(text) ? 0.45 : 0.25;
  }
  if (words < 5) return 0.2;
  return isPrecise ? 0.8 : visibleResultCue(text) ? 0.6 : 0.35;
}

function ofCriteria(reading: Reading): CheckResult {
  const rated = reading.body.map((statement) => ({ statement, by: testability(statement, reading.isBug) }));
  const checks = rated.filter(({ by }) => by > 0).toSorted((a, b) => b.by - a.by);
  const examples = reading.isBug ? [] : reading.code.slice(0, 1);
  const count = checks.reduce((sum, { by }) => sum + by, 0.4 * examples.length);
  const precise = checks.filter(({ statement: { text } }) => quantityCue(text) || quotes(text));
  return scoreAspects(reading, [
    {
      name: 'how to verify it',
      question: 'How can a tester verify it: which steps, and what must the result be?',
      weight: 0.85,
      strength: 1 - Math.exp(-count / TYPICAL_CHECK_COUNT),
      from: [...checks.map(({ statement }) => statement), ...examples],
    },
    {
      name: 'the result in numbers or exact words',
      question: 'Which number, limit or exact wording must the result have?',
      weight: 0.15,
      strength: precise.length > 0 ? 1 : 0,
      from: precise.map(({ statement }) => statement),
    },
  ]);
}

function ofSteps(reading: Reading): CheckResult {
  const { title, body, code } = reading;
  const listedItems = body.filter(
    ({ topic, kind }) => topic === 'steps' || (kind === 'step' && topic !== 'approach'),
  );
  const statedCriteria = body.filter(
    ({ text, words, topic }) => topic !== 'approach' && words > 4 && !asks(text) && DOES.test(text),
  );
  const when = body.filter(
    ({ text, words }) => words > 6 && !asks(text) && occasionCue(text) && symptomCue(text),
  );
  const expected = body.filter(
    ({ text, topic, words }) =>
      topic === 'expected' ||
      topic === 'acceptance' ||
      (words > 3 && !asks(text) && (contrastCue(text) || MUST.test(text))),
  );
  const precise = body.filter(({ text }) => quantityCue(text) || quotes(text));
  const steps = Math.max(
    listedItems.length >= 2 ? 1 : 0.6 * listedItems.length,
    0.4 * statedCriteria.length,
    0.3 * Math.min(2, when.length),
    FAULT_DESCRIPTION_SCORE * substanceOf(reading),
  );
  const isImplied = steps >= MIN_STEPS_SCORE && !(title !== null && degreeCue(title.text));
  return scoreAspects(reading, [
    {
      name: 'how to reproduce it',
      question: 'Which steps reproduce it, from the start?',
      weight: 0.45,
      strength: Math.min(1, steps),
      from: [...listedItems, ...statedCriteria, ...when].slice(0, 1),
    },
    {
      name: 'what result is expected',
      question: 'What must these steps result in once it is fixed?',
      weight: 0.4,
      strength: expected.length > 0 ? 1 : isImplied ? IMPLIED_RESULT_SCORE : 0,
      from: expected.slice(0, 1),
    },
    {
      name: 'exact values or messages',
      question: 'Which exact message, value or file shows the fault?',
      weight: 0.15,
      strength: precise.length > 0 || code.length > 0 ? 1 : 0,
      from: [...precise, ...code].slice(0, 1),
    },
  ]);
}
