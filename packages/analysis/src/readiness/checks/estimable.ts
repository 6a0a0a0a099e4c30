import { type CheckResult, firstMatches, scoreAspects } from '../criterion-score.ts';
import { vagueCue, workAmountCue } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import { acceptanceOf } from './acceptance.ts';
import { approachOf } from './approach.ts';
import { openPoints } from './open-points.ts';
import { scopeOf } from './scope.ts';

/** The score is reduced by this amount per open question. */
const QUESTION_PENALTY = 0.08;
const SIZED =
  /\p{N}|(?<!\p{L})(?:xs|s|m|l|xl|small|medium|large|tiny|one|two|three|klein|mittel|groß|petit|moyen|grand|pequeño|mediano|grande)(?!\p{L})/iu;
/** The score is raised by this amount if the issue states its size. */
const SIZE_BONUS = 0.35;

/** Checks that a person who knows the product can estimate the work. */
export function estimableOf(reading: Reading): CheckResult {
  const sized = firstMatches(
    reading.all,
    (text, { topic }) => (topic === 'size' && SIZED.test(text)) || workAmountCue(text),
  );
  const questions = openPoints(reading);
  const vagueness = firstMatches(reading.all, (text) => vagueCue(text), 3);
  const [scope, approach, acceptance] = [scopeOf(reading), approachOf(reading), acceptanceOf(reading)];
  const known = ({ score }: CheckResult) => Math.min(1, score + (sized.length > 0 ? SIZE_BONUS : 0));
  const amount = QUESTION_PENALTY * (Math.min(4, questions.length) + vagueness.length * 0.5);
  return scoreAspects(
    reading,
    [
      {
        name: 'its size',
        question: 'How large is it, in days or points?',
        weight: 0.1,
        strength: sized.length,
        from: sized,
      },
      {
        name: 'what is in scope',
        question: 'What is in scope, and what is not?',
        weight: 0.4,
        strength: known(scope),
        from: scope.evidence.slice(0, 1),
      },
      {
        name: 'how it will be done',
        question: 'Which steps does it take?',
        weight: 0.4,
        strength: known(approach),
        from: approach.evidence.slice(0, 1),
      },
      {
        name: 'when it is done',
        question: 'How can a tester verify that it is done?',
        weight: 0.1,
        strength: known(acceptance),
        from: acceptance.evidence.slice(0, 1),
      },
    ],
    amount === 0
      ? null
      : {
          note: 'Something is still undecided.',
          amount,
          from: [...questions, ...vagueness].slice(0, 1),
          fix: 'What are the answers to the open points?',
        },
  );
}
