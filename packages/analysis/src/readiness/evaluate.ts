import { estimateOf } from './checks/estimate.ts';
import { checks } from './checks.ts';
import { factorOf } from './factor.ts';
import { type Reading, readIssue } from './read-issue.ts';
import type { CheckId, Criterion, EvaluatedIssue, Evaluation, Finding } from './types.ts';

/** Minimum words of an issue for an evaluation. */
const MIN_EVALUATED_WORDS = 3;
/** Checks that contribute to an issue's estimate. */
const COMPLEXITY_CHECKS: ReadonlySet<CheckId | null> = new Set<CheckId>(['amount', 'breadth', 'depth']);
const UNJUDGED = 'Only a language model can judge this.';
const UNKNOWN_WORDING = 'The wording could not be judged, only the structure of the text.';

/**
 * Evaluates an issue by criteria. Deterministic. Ignores criteria without a check, the issue's
 * claims about its own readiness, and questions that `improve` added.
 */
export function evaluate(issue: EvaluatedIssue, criteria: readonly Criterion[]): Evaluation {
  if (criteria.every(({ check }) => check === null)) {
    return nothing('None of these criteria can be judged without a language model.', criteria, null);
  }
  const reading = readIssue(issue);
  if (reading.words < MIN_EVALUATED_WORDS && reading.code.length === 0) {
    const reason = 'There is nothing to evaluate: the issue has no text beyond a word or two.';
    return nothing(reason, criteria, 'Say what this issue is about, and why.');
  }
  const findings = criteria.map((criterion) => findingOf(criterion, reading));
  const isEstimated = criteria.some(({ check }) => COMPLEXITY_CHECKS.has(check));
  return {
    factor: factorOf(findings.map(({ score }, index) => ({ score, weight: criteria[index]?.weight ?? 0 }))),
    ...summaryOf(findings, criteria, reading),
    criteria: findings,
    estimate: isEstimated ? estimateOf(reading).estimate : null,
  };
}

function nothing(reason: string, criteria: readonly Criterion[], suggestion: string | null): Evaluation {
  const findings = criteria.map(({ id, check }) => ({
    id,
    score: null,
    note: check === null ? UNJUDGED : 'There is nothing to evaluate.',
    evidence: [],
    fix: null,
  }));
  return { factor: 0, reason, suggestion, criteria: findings, estimate: null };
}

function findingOf({ id, check }: Criterion, reading: Reading): Finding {
  if (check === null) return { id, score: null, note: UNJUDGED, evidence: [], fix: null };
  return { id, ...checks[check](reading) };
}

/**
 * Returns a summary in sentences: the strongest and the weakest criterion, and the number of
 * criteria not judged. Also returns the fix that raises the score most.
 */
function summaryOf(
  findings: readonly Finding[],
  criteria: readonly Criterion[],
  { isWordingKnown }: Reading,
): Pick<Evaluation, 'reason' | 'suggestion'> {
  const judged = findings.flatMap(({ score, fix }, index) => {
    const criterion = criteria[index];
    return score === null || criterion === undefined ? [] : [{ ...criterion, score, fix }];
  });
  const strongest = judged.reduce((a, b) => (b.score > a.score ? b : a));
  const weakest = judged.reduce((a, b) => (b.score < a.score ? b : a));
  const gains = judged.toSorted((a, b) => b.weight * (1 - b.score) - a.weight * (1 - a.score));
  const suggestion = gains.find(({ fix }) => fix !== null)?.fix ?? null;
  const left = criteria.length - judged.length;
  const whole = left === 0 ? 'All criteria score' : 'The judged criteria score';
  const standing = [
    weakest.score === strongest.score
      ? `${whole} ${percent(strongest.score)}.`
      : `Strongest is ${strongest.name} (${percent(strongest.score)}), weakest ${weakest.name} (${percent(weakest.score)}).`,
    left === 0 ? '' : `${left} of ${criteria.length} criteria ${left === 1 ? 'was' : 'were'} not judged.`,
    isWordingKnown ? '' : UNKNOWN_WORDING,
  ];
  return { reason: standing.filter((sentence) => sentence !== '').join(' '), suggestion };
}

function percent(score: number): string {
  return `${Math.round(score * 100)}%`;
}
