import { type CheckResult, firstMatches, scoreAspects, substanceOf } from '../criterion-score.ts';
import { namesCode, quotes } from '../identifiers.ts';
import {
  internalPartCue,
  quantityCue,
  requestCue,
  scopeLimitCue,
  unlimitedRequestCue,
  vagueCue,
  visiblePartCue,
} from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import { approachOf } from './approach.ts';

/** Maximum list items of an issue that is one piece of work. */
const MAX_ITEMS = 7;
/** Maximum reduction of the score. It is multiplied by the share of broad or vague statements. */
const BREADTH_PENALTY = 0.6;
/** Maximum score of a bug's limits that follow from its known cause. */
const CAUSE_SCORE = 0.8;

/**
 * Checks that the issue is one piece of work with clear limits. For a bug, a known cause also
 * limits the work.
 */
export function scopeOf(reading: Reading): CheckResult {
  const { all, body, isBug } = reading;
  const borders = firstMatches(
    body,
    (text, { topic }) => topic === 'bounds' || topic === 'scope' || scopeLimitCue(text),
    2,
  );
  const isStated = borders.some(({ topic }) => topic === 'bounds');
  const known = firstMatches(all, (text) => namesCode(text) || internalPartCue(text), 3);
  const seen = firstMatches(all, (text) => visiblePartCue(text) || quotes(text) || quantityCue(text), 3);
  const broadStatements = firstMatches(all, (text) => unlimitedRequestCue(text), 3);
  const vagueness = firstMatches(all, (text) => vagueCue(text), 3);
  const asks = body.filter(
    ({ kind, text, topic }) => kind === 'item' && topic === null && requestCue(text),
  ).length;
  const substance = substanceOf(reading);
  const share = (broadStatements.length + 0.6 * vagueness.length) / Math.max(1, all.length);
  const penalty = BREADTH_PENALTY * share + (asks > MAX_ITEMS ? 0.2 : 0);
  return scoreAspects(
    reading,
    [
      {
        name: 'what is out of scope',
        question: 'What is out of scope and stays unchanged?',
        weight: 0.35,
        strength: isStated
          ? 1
          : Math.max(
              borders.length > 0 ? 0.6 : 0,
              isBug ? Math.max(0.5 * substance, CAUSE_SCORE * approachOf(reading).score) : 0.2 * substance,
            ),
        from: borders,
      },
      {
        name: 'which part it affects',
        question: 'Which part of the product does it affect, and where exactly?',
        weight: 0.3,
        strength: Math.min(1, 0.3 * known.length + 0.2 * seen.length),
        from: [...known, ...seen].slice(0, 1),
      },
      {
        name: 'enough to estimate its size',
        question: 'What does it include, step by step?',
        weight: 0.35,
        strength: 0.1 + 0.9 * substance ** 1.5,
        from: [],
      },
    ],
    penalty === 0
      ? null
      : {
          note: 'Some of it has no clear limit.',
          amount: penalty,
          from: [...broadStatements, ...vagueness].slice(0, 1),
          fix: 'What should be done in this issue, and what should not?',
        },
  );
}
