import {
  type CheckResult,
  clampScore,
  evidenceOf,
  firstMatches,
  scoreAspects,
  substanceOf,
} from '../criterion-score.ts';
import { namesIssue } from '../identifiers.ts';
import { dependenceCue, externalPartyCue, independenceCue } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import { type Statement, saysNone } from '../statement.ts';

/** Score of an issue whose text states nothing about dependencies. */
const UNSTATED_SCORE = 0.5;

/** Statements of an issue about dependencies. */
export interface Dependence {
  /** Statements that the issue has no dependencies. */
  none: Statement[];
  /** Statements that the issue waits for something or builds on it. */
  on: Statement[];
  /** Those statements of `on` that mention an issue or are under a heading about dependencies. */
  named: Statement[];
  /** Statements that mention another issue for any reason. */
  mentions: Statement[];
  /** Statements that mention people or systems outside the team. */
  outside: Statement[];
}

export function dependenceOf({ all }: Reading): Dependence {
  const none = firstMatches(all, (text, { topic }) => saysNone(text, topic) || independenceCue(text), 2);
  const on = firstMatches(
    all,
    (text, it) => !none.includes(it) && (it.topic === 'dependencies' || dependenceCue(text)),
    3,
  );
  const isNamed = ({ text, topic }: Statement) => topic === 'dependencies' || namesIssue(text);
  return {
    none,
    on,
    named: on.filter(isNamed),
    mentions: firstMatches(all, (text) => namesIssue(text), 2),
    outside: firstMatches(
      all,
      (text, it) => !on.includes(it) && !none.includes(it) && externalPartyCue(text),
      2,
    ),
  };
}

/** Checks that the issue names its dependencies, or states that it has none. */
export function dependenciesOf(reading: Reading): CheckResult {
  const { none, on, named, mentions, outside: others } = dependenceOf(reading);
  if (!reading.isWordingKnown && on.length + none.length === 0) {
    return scoreAspects(reading, [
      {
        name: 'what it depends on',
        question: 'What must be finished first, if anything?',
        weight: 1,
        strength: mentions.length > 0 ? 0.75 : UNSTATED_SCORE,
        from: mentions,
      },
    ]);
  }
  const found = (
    score: number,
    note: string,
    from: readonly Statement[],
    fix: string | null,
  ): CheckResult => ({
    score: clampScore(score),
    note,
    evidence: evidenceOf(from),
    fix,
  });
  if (none.length > 0) return found(1, 'States that it has no dependencies.', none, null);
  if (named.length > 0) return found(1, 'Names its dependencies.', named, null);
  if (on.length > 0) {
    return found(
      0.75,
      'Mentions dependencies, but names no issue.',
      on,
      'Which issue, team or service does this depend on?',
    );
  }
  if (mentions.length > 0) {
    return found(
      0.6,
      'Names another issue, but does not say whether it depends on it.',
      mentions,
      'Does this depend on the issue it names?',
    );
  }
  if (others.length > 0) {
    return found(
      0.35,
      'Involves someone or something outside the team without saying what is needed from them.',
      others,
      'What is needed from outside the team, and is it available already?',
    );
  }
  const score = UNSTATED_SCORE * (0.6 + 0.4 * substanceOf(reading));
  return found(
    score,
    'No dependencies are stated, and none seem to be needed.',
    [],
    'Does it depend on anything: an issue, a decision, a team, a service?',
  );
}
