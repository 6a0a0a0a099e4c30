import {
  type Aspect,
  type CheckResult,
  firstMatches,
  scoreAspects,
  strengthOf,
  wordsOfBody,
} from '../criterion-score.ts';
import {
  contrastCue,
  degreeCue,
  desiredStateCue,
  peopleCue,
  reasonCue,
  requestCue,
  situationCue,
  symptomCue,
  vagueCue,
} from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import { MIN_DESCRIBING_WORDS, type Statement } from '../statement.ts';

/** Number of words of a description for nearly two thirds of the maximum score. */
const TYPICAL_GOAL_WORD_COUNT = 14;
/** Score of the expected behavior if a clear description of the bug only implies it. */
const IMPLIED_BEHAVIOR_SCORE = 0.7;
/** Maximum reduction of the score. It is multiplied by the share of vague statements. */
const VAGUENESS_PENALTY = 0.4;

/**
 * Checks that the issue says what should change, for whom, and why. For a bug: what happens, in
 * what situation, and what should happen instead.
 */
export function goalOf(reading: Reading): CheckResult {
  const aspects = reading.isBug ? aspectsOfBug(reading) : aspectsOfWish(reading);
  const detail = 1 - Math.exp(-wordsOfBody(reading) / TYPICAL_GOAL_WORD_COUNT);
  const vagueness = firstMatches(reading.all, (text) => vagueCue(text), 3);
  const scaled = aspects.map((aspect) => ({ ...aspect, strength: aspect.strength * detail }));
  return scoreAspects(
    reading,
    scaled,
    vagueness.length === 0
      ? null
      : {
          note: 'Some of it is vague.',
          amount: (VAGUENESS_PENALTY * vagueness.length) / reading.all.length,
          from: vagueness.slice(0, 1),
          fix: 'What exactly is meant, with an example?',
        },
  );
}

function describes({ words }: Statement): boolean {
  return words >= MIN_DESCRIBING_WORDS;
}

function asks(text: string): boolean {
  return /[?？]\s*$/.test(text);
}

function aspectsOfBug({ all, body, code }: Reading): Aspect[] {
  const inBody = body.filter((statement) => statement.topic !== 'bounds');
  const happens = [
    ...firstMatches(inBody, (text, it) => describes(it) && (it.topic === 'facts' || symptomCue(text)), 1),
    ...firstMatches(
      inBody,
      (text, it) => describes(it) && !desiredStateCue(text) && it.topic !== 'approach',
      1,
    ),
    ...firstMatches(all, (text) => symptomCue(text), 1),
  ];
  const log = code.slice(0, 1);
  const when = firstMatches([...inBody, ...all], (text, it) => it.topic === 'steps' || situationCue(text));
  const should = firstMatches(
    inBody,
    (text, it) => it.topic === 'expected' || (describes(it) && !asks(text) && contrastCue(text)),
  );
  const inTitle = firstMatches(all.slice(0, 1), (text) => contrastCue(text));
  const isClear =
    !all.slice(0, 1).some(({ text }) => degreeCue(text)) &&
    happens.some(({ field }) => field === 'body') &&
    when.length > 0;
  const matters = firstMatches(
    inBody,
    (text, it) => it.topic === 'goal' || (describes(it) && (reasonCue(text) || peopleCue(text))),
  );
  return [
    {
      name: 'what happens',
      question: 'What happens, from the user’s point of view?',
      weight: 0.4,
      strength: strengthOf(happens) || (log.length > 0 ? 0.5 : 0),
      from: [...happens.slice(0, 1), ...(happens.length === 0 ? log : [])],
    },
    {
      name: 'in what situation',
      question: 'In what situation does it happen: doing what, on what system, in which version?',
      weight: 0.2,
      strength: strengthOf(when),
      from: when,
    },
    {
      name: 'what should happen instead',
      question: 'What should happen instead?',
      weight: 0.25,
      strength: Math.max(strengthOf([...should, ...inTitle]), isClear ? IMPLIED_BEHAVIOR_SCORE : 0),
      from: should,
    },
    {
      name: 'who is affected and how',
      question: 'Who is affected, and how badly?',
      weight: 0.15,
      strength: strengthOf(matters),
      from: matters,
    },
  ];
}

function aspectsOfWish({ all, body, isQuestion }: Reading): Aspect[] {
  const inBody = body.filter((statement) => statement.topic !== 'bounds');
  const wanted = [
    ...firstMatches(
      inBody,
      (text, it) => describes(it) && (it.topic === 'goal' || desiredStateCue(text) || requestCue(text)),
    ),
    ...firstMatches(
      all,
      (text, it) => it.words > 2 && (desiredStateCue(text) || requestCue(text) || isQuestion),
    ),
  ];
  const concerned = firstMatches([...inBody, ...all], (text) => peopleCue(text));
  const reason = firstMatches(inBody, (text, it) => describes(it) && reasonCue(text), 2);
  const problem = firstMatches(
    inBody,
    (text, it) => describes(it) && (it.topic === 'goal' || symptomCue(text)),
  );
  return [
    {
      name: 'what should be different',
      question: 'What should be different when this is done?',
      weight: 0.4,
      strength: strengthOf(wanted),
      from: wanted.slice(0, 1),
    },
    {
      name: 'for whom',
      question: 'Who needs it: which users, customers or colleagues?',
      weight: 0.2,
      strength: strengthOf(concerned),
      from: concerned,
    },
    {
      name: 'why it matters',
      question: 'Why does it matter: what goes wrong or is lost without it?',
      weight: 0.4,
      strength: Math.min(1, 0.6 * reason.length + 0.4 * problem.length),
      from: [...reason.slice(0, 1), ...(reason.length === 0 ? problem : [])],
    },
  ];
}
