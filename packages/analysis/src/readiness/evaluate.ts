import { estimateOf } from './checks/estimate.ts';
import { checks } from './checks.ts';
import { type Reading, readIssue } from './read-issue.ts';
import type { CheckId, Criterion, EvaluatedIssue, Evaluation, Finding } from './types.ts';

/** Text of fewer words is nothing to evaluate. */
const FEWEST_WORDS = 3;
const LEAST_FACTOR = 0.01;
/** Checks by which an issue is estimated. */
const OF_COMPLEXITY: ReadonlySet<CheckId | null> = new Set<CheckId>(['amount', 'breadth', 'depth']);
const UNJUDGED = 'Only a language model can judge this.';
const UNKNOWN_WORDING = 'The wording could not be judged, only the structure of the text.';

/**
 * How an issue stands by some criteria: text in, findings out, the same for the same text. Criteria without a check count
 * for nothing. What an issue says of its own readiness, and questions that `improve` asked, count for nothing either.
 */
export function evaluate(issue: EvaluatedIssue, criteria: readonly Criterion[]): Evaluation {
  if (criteria.every(({ check }) => check === null)) {
    return nothing('None of these criteria can be judged without a language model.', criteria, null);
  }
  const reading = readIssue(issue);
  if (reading.words < FEWEST_WORDS && reading.code.length === 0) {
    const reason = 'There is nothing to evaluate: the issue has no text beyond a word or two.';
    return nothing(reason, criteria, 'Say what this issue is about, and why.');
  }
  const findings = criteria.map((criterion) => findingOf(criterion, reading));
  const isEstimated = criteria.some(({ check }) => OF_COMPLEXITY.has(check));
  return {
    factor: factorOf(findings, criteria),
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

function factorOf(findings: readonly Finding[], criteria: readonly Criterion[]): number {
  let [sum, weights] = [0, 0];
  for (const [index, { score }] of findings.entries()) {
    const weight = criteria[index]?.weight ?? 0;
    if (score === null) continue;
    sum += weight * score;
    weights += weight;
  }
  return weights === 0 ? LEAST_FACTOR : Math.max(LEAST_FACTOR, Math.round((sum / weights) * 100) / 100);
}

/** The strongest and the weakest criterion, and what would gain most. */
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
  const standing =
    weakest.score === strongest.score
      ? `All criteria stand at ${percent(strongest.score)}.`
      : `Strongest is ${strongest.name} (${percent(strongest.score)}), weakest ${weakest.name} (${percent(weakest.score)}).`;
  return { reason: isWordingKnown ? standing : `${standing} ${UNKNOWN_WORDING}`, suggestion };
}

function percent(score: number): string {
  return `${Math.round(score * 100)}%`;
}
