import type { Evaluation } from '@winnow/analysis/readiness';
import { judgedShareOf } from '@winnow/analysis/readiness/factor';
import type {
  CompliancePrompt,
  ComplianceResult,
  ComplianceRun,
  ComplianceTrialResult,
  CriterionResult,
} from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST, type InsteadOf } from '@winnow/contract/verdict';
import type { IssueView } from '../issues/index.ts';
import type { StoredCriterion } from '../schema/compliance-tables.ts';
import { citationsAt, validCitations } from './citations.ts';
import type { StoredEvaluation } from './result-store.ts';
import type { RunRow } from './run-store.ts';

/** Converts a result to its API form. Omits quotes that do not match the issue's current texts. */
export function presentResult(
  issue: IssueView,
  prompt: CompliancePrompt,
  result: Omit<StoredEvaluation, 'id' | 'asked_as'> & { id: string | null },
  { stale, insteadOf = null }: { stale: boolean; insteadOf?: InsteadOf },
): ComplianceResult {
  const { reason, suggestion, estimate } = result.findings;
  const criteria = presentCriteria(prompt, result.findings.criteria);
  return {
    id: result.id,
    issue_id: issue.id,
    prompt_id: prompt.id,
    name: prompt.name,
    short_name: prompt.short_name,
    state: 'evaluated',
    compliance_factor: result.factor,
    judged_share: judgedShareOf(criteria),
    reason,
    suggestion,
    criteria: criteria.map((criterion) => ({
      ...criterion,
      evidence: validCitations(issue, criterion.evidence),
    })),
    estimate,
    ai_model_id: result.ai_model_id,
    ai_model_name: result.ai_model_name,
    instead_of: insteadOf,
    evaluated_at: result.evaluated_at.toISOString(),
    stale,
  };
}

/**
 * Converts the results of criteria to their API form. The names of the criteria come from the
 * prompt.
 */
function presentCriteria(prompt: CompliancePrompt, criteria: readonly StoredCriterion[]): CriterionResult[] {
  return criteria.flatMap((found) => {
    const criterion = prompt.criteria.find(({ id }) => id === found.id);
    return criterion ? [{ ...found, name: criterion.name, weight: criterion.weight }] : [];
  });
}

/** Returns the API form for an issue that has no result yet. */
export function presentChecking(
  issue: IssueView,
  prompt: CompliancePrompt,
  model: { id: string; name: string } | null,
): ComplianceResult {
  return {
    id: null,
    issue_id: issue.id,
    prompt_id: prompt.id,
    name: prompt.name,
    short_name: prompt.short_name,
    state: 'checking',
    compliance_factor: null,
    judged_share: null,
    reason: '',
    suggestion: null,
    criteria: [],
    estimate: null,
    ai_model_id: model?.id ?? null,
    ai_model_name: model?.name ?? BUILT_IN_ANALYST,
    instead_of: null,
    evaluated_at: null,
    stale: false,
  };
}

/** Converts the scores before and after a change of texts to their API form. */
export function presentTrial(
  prompt: CompliancePrompt,
  texts: { title: string; description: string },
  { before, after }: { before: Evaluation; after: Evaluation },
): ComplianceTrialResult {
  const found = after.criteria.map((criterion) => ({
    ...criterion,
    evidence: citationsAt(texts, criterion.evidence),
  }));
  const criteria = presentCriteria(prompt, found);
  return {
    score: { before: before.factor, after: after.factor },
    judged_share: judgedShareOf(criteria),
    criteria,
  };
}

/** Converts the progress of a run to its API form. */
export function presentRun(run: RunRow): ComplianceRun {
  return {
    id: run.id,
    project_id: run.project_id,
    prompt_id: run.prompt_id,
    status: run.status,
    state: run.state,
    done: run.done,
    // Issues may have been added since the run began, so more may be done than were counted.
    total: Math.max(run.total, run.done),
    reason: run.reason,
    started_at: run.started_at.toISOString(),
    ended_at: run.ended_at?.toISOString() ?? null,
  };
}
