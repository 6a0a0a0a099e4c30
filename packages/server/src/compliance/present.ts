import type { CompliancePrompt, ComplianceResult, CriterionResult } from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { IssueView } from '../issues/service.ts';
import type { StoredCriterion } from '../schema/tables.ts';
import { standing } from './citations.ts';
import type { Evaluated } from './result-store.ts';

/** How an issue stands, of which only a part may be of the texts it has now. */
export function presentResult(
  issue: IssueView,
  prompt: CompliancePrompt,
  result: Omit<Evaluated, 'id' | 'asked_as'> & { id: string | null },
  stale: boolean,
): ComplianceResult {
  const { reason, suggestion, criteria, estimate } = result.findings;
  return {
    id: result.id,
    issue_id: issue.id,
    prompt_id: prompt.id,
    name: prompt.name,
    short_name: prompt.short_name,
    state: 'evaluated',
    compliance_factor: result.factor,
    reason,
    suggestion,
    criteria: presentCriteria(prompt, criteria).map((criterion) => ({
      ...criterion,
      evidence: standing(issue, criterion.evidence),
    })),
    estimate,
    ai_model_id: result.ai_model_id,
    ai_model_name: result.ai_model_name,
    evaluated_at: result.evaluated_at.toISOString(),
    stale,
  };
}

/** What was found of each criterion, as a version of the prompt calls it that has it. */
export function presentCriteria(
  prompt: CompliancePrompt,
  criteria: readonly StoredCriterion[],
): CriterionResult[] {
  return criteria.flatMap((found) => {
    const criterion = prompt.criteria.find(({ id }) => id === found.id);
    return criterion ? [{ ...found, name: criterion.name, weight: criterion.weight }] : [];
  });
}

/** Nobody has judged yet. */
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
    reason: '',
    suggestion: null,
    criteria: [],
    estimate: null,
    ai_model_id: model?.id ?? null,
    ai_model_name: model?.name ?? BUILT_IN_ANALYST,
    evaluated_at: null,
    stale: false,
  };
}
