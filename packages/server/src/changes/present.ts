import type { Change, ChangePreview } from '@winnow/contract/change';
import { baseHashesOf, type ChangePlan } from './plan.ts';
import type { ChangeRecord } from './store.ts';

/** A change as the ledger shows it. */
export function presentChange({ change, steps, issues, undoneBy }: ChangeRecord): Change {
  return {
    id: change.id,
    kind: change.kind,
    status: change.status,
    title: change.title,
    rationale: change.rationale,
    confidence: change.confidence,
    actor: { type: change.actor_type, id: change.actor_id, name: change.actor_name },
    decided_by: change.decided_by,
    issue_keys: issues.map((issue) => issue.key),
    steps: steps.map((step) => ({
      id: step.id,
      action: step.action,
      target_key: step.target_key,
      before: step.before,
      after: step.after,
      status: step.status,
      error: step.error,
      ...(step.result.answer === undefined ? {} : { answer: step.result.answer }),
      applied_at: step.applied_at?.toISOString() ?? null,
    })),
    base_hashes: change.base_hashes,
    created_at: change.created_at.toISOString(),
    decided_at: change.decided_at?.toISOString() ?? null,
    retried_by: change.retried_by,
    applied_at: change.applied_at?.toISOString() ?? null,
    undoes: change.undoes,
    undone_by: undoneBy,
  };
}

/** A planned change as it is shown before it is saved. */
export function presentPlan(plan: ChangePlan): ChangePreview {
  return {
    kind: plan.kind,
    title: plan.title,
    rationale: plan.rationale,
    issue_keys: plan.issues.map((issue) => issue.key),
    base_hashes: baseHashesOf(plan),
    steps: plan.steps.map(({ action, key, before, after }) => ({ action, target_key: key, before, after })),
  };
}
