import {
  type CheckResult,
  clampScore,
  evidenceOf,
  firstMatches,
  joinWords,
  scoreAspects,
  strengthOf,
  substanceOf,
} from '../criterion-score.ts';
import { namesCode } from '../identifiers.ts';
import { desiredStateCue, peopleCue, reasonCue, requestCue, solutionCue } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import { dependenceOf } from './dependencies.ts';
import { estimateOf } from './estimate.ts';

/** Score of an issue by its estimate in story points. */
const SCORE_BY_POINTS: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 0.9, 5: 0.7, 8: 0.4, 13: 0.15 };

/** Checks that the issue can be done and delivered without waiting for other work. */
export function independentOf(reading: Reading): CheckResult {
  const { none, on, outside } = dependenceOf(reading);
  if (none.length > 0) {
    return { score: 1, note: 'States that it has no dependencies.', evidence: evidenceOf(none), fix: null };
  }
  const ties = [...on, ...outside];
  if (ties.length === 0) {
    const note = 'Names no dependencies.';
    return {
      score: clampScore(0.6 + 0.25 * substanceOf(reading)),
      note,
      evidence: [],
      fix: 'Can it be delivered independently?',
    };
  }
  const note = `Names ${ties.length === 1 ? 'something' : `${ties.length} things`} that it depends on.`;
  const fix = 'Can it be split so that it has no dependencies, or is everything it needs available already?';
  return { score: clampScore(0.7 - 0.2 * ties.length), note, evidence: evidenceOf(ties), fix };
}

/** Checks that the issue says what is needed and why, but leaves the solution open. */
export function negotiableOf(reading: Reading): CheckResult {
  const { body, all } = reading;
  const needs = firstMatches(all, (text) => desiredStateCue(text) || requestCue(text));
  const reasons = firstMatches(body, (text, { words }) => words > 3 && reasonCue(text));
  const orders = firstMatches(
    body,
    (text, { topic }) => topic !== 'steps' && namesCode(text) && desiredStateCue(text) && !solutionCue(text),
    3,
  );
  return scoreAspects(
    reading,
    [
      {
        name: 'what is needed',
        question: 'What is needed, independent of the solution?',
        weight: 0.4,
        strength: strengthOf(needs, 0.7),
        from: needs,
      },
      {
        name: 'why',
        question: 'Why is it needed, so that alternatives can be considered?',
        weight: 0.6,
        strength: strengthOf(reasons),
        from: reasons,
      },
    ],
    orders.length === 0
      ? null
      : {
          note: 'Prescribes parts of the implementation.',
          amount: 0.12 * orders.length,
          from: orders.slice(0, 1),
          fix: 'Which of the technical details are needed, and which are proposals?',
        },
  );
}

/** Checks that the issue says who benefits from it and how. */
export function valuableOf(reading: Reading): CheckResult {
  const { body, all } = reading;
  const concerned = firstMatches([...body, ...all], (text) => peopleCue(text));
  const reasons = firstMatches(
    body,
    (text, { topic, words }) => words > 3 && (topic === 'goal' || reasonCue(text)),
    2,
  );
  return scoreAspects(reading, [
    {
      name: 'who benefits',
      question: 'Who benefits when it is done?',
      weight: 0.45,
      strength: strengthOf(concerned),
      from: concerned,
    },
    {
      name: 'how they benefit',
      question: 'What do they gain, or lose without it?',
      weight: 0.55,
      strength: Math.min(1, 0.65 * reasons.length),
      from: reasons.slice(0, 1),
    },
  ]);
}

/** Checks that the estimate is at most a few days of work. */
export function smallOf(reading: Reading): CheckResult {
  const { estimate, evidence, drivers } = estimateOf(reading);
  const score = SCORE_BY_POINTS[estimate.points] ?? 0;
  const points = `About ${estimate.points} story ${estimate.points === 1 ? 'point' : 'points'}`;
  return {
    score,
    note: drivers.length === 0 ? `${points}.` : `${points}: ${joinWords(drivers)}.`,
    evidence,
    fix: score === 1 ? null : 'Can a smaller part of it be delivered first?',
  };
}
