import { type CheckResult, firstMatches, scoreAspects } from '../criterion-score.ts';
import { namesCode } from '../identifiers.ts';
import {
  causeCue,
  internalPartCue,
  personalReportCue,
  requestCue,
  solutionCue,
  visiblePartCue,
} from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';
import type { Evidence } from '../types.ts';

/**
 * Minimum words of an explanation. A statement under a heading such as “Approach” may be shorter.
 */
const MIN_EXPLANATION_WORDS = 5;
/**
 * Minimum words of a sentence about the product's behavior. Such a sentence explains a little, too.
 */
const MIN_BEHAVIOR_SENTENCE_WORDS = 7;
const BEHAVIOR_SENTENCE_SCORE = 0.07;

/** Checks that the issue says how to do the work or where to look. */
export function approachOf(reading: Reading): CheckResult {
  const { body, all, code, isBug } = reading;
  const statedApproach = body
    .map((statement) => ({ statement, by: explanation(statement, isBug) }))
    .filter(({ by }) => by > 0)
    .toSorted((a, b) => b.by - a.by);
  const places = firstMatches(all, (text) => namesCode(text), 3);
  const parts = firstMatches(all, (text) => internalPartCue(text), 3);
  const screens = firstMatches(all, (text) => visiblePartCue(text), 1);
  const behaviorSentences = firstMatches(
    body,
    (text, it) => isBehaviorSentence(it) && !personalReportCue(text),
    3,
  );
  const trace = code.slice(0, 1);
  const where = 0.4 * places.length + 0.2 * parts.length + 0.15 * screens.length + 0.45 * trace.length;
  return scoreAspects(reading, [
    {
      name: 'where to look',
      question: 'Which component, file or screen is affected?',
      weight: 0.35,
      strength: Math.min(1, where),
      from: [...places, ...trace, ...parts, ...screens].slice(0, 1),
    },
    {
      name: isBug ? 'what the cause may be or how to fix it' : 'how it can be done',
      question: isBug
        ? 'What is known about the cause? Since when, and under what conditions?'
        : 'How can it be done, in outline?',
      weight: 0.65,
      // Each additional explanation raises the strength by less than the one before.
      strength:
        1 -
        Math.exp(
          -statedApproach.reduce(
            (sum, { by }) => sum + by,
            behaviorSentences.length * BEHAVIOR_SENTENCE_SCORE,
          ),
        ),
      from: statedApproach.slice(0, 2).map(({ statement }) => statement),
    },
  ]);
}

/** True if a statement is a whole sentence about the product's behavior. */
function isBehaviorSentence({ kind, words, topic }: Statement): boolean {
  return kind === 'prose' && words >= MIN_BEHAVIOR_SENTENCE_WORDS && topic !== 'steps' && topic !== 'bounds';
}

/**
 * Returns how much a statement explains the cause or the solution, 0 or more. Statements about
 * internals of the product count most.
 */
export function explanation(
  { text, topic, words, kind }: Omit<Statement, keyof Evidence>,
  isBug: boolean,
): number {
  const isStepOfFault = isBug && kind === 'step' && topic !== 'approach';
  if (isStepOfFault || topic === 'steps' || topic === 'bounds') return 0;
  if (topic === 'approach') return words < 3 ? 0 : namesCode(text) || internalPartCue(text) ? 1 : 0.6;
  if (words < MIN_EXPLANATION_WORDS || /[?？]\s*$/.test(text)) return 0;
  const isInside = namesCode(text) ? 0.35 : internalPartCue(text) ? 0.2 : 0;
  const isStep = kind !== 'prose' && topic !== 'acceptance' && requestCue(text.split(/\s/, 1)[0] ?? '');
  const isWay = solutionCue(text) || isStep ? 0.25 : 0;
  const isCause = isBug && causeCue(text) ? (isInside > 0 ? 0.35 : 0.2) : 0;
  return (isInside + isWay + isCause) * (kind === 'prose' || isInside > 0 || isStep ? 1 : 0.5);
}
