import type { Change, ChangePreview } from '@winnow/contract/change';
import { type IssuePlace, presentReference, trackerOf } from '../issues/index.ts';
import { type ChangePlan, otherIssueOf, previewedHashesOf } from './plan.ts';
import type { ChangeRecord } from './store.ts';

/** Converts a change to its API form. */
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
    issues: issues.map(({ issue_id, key, place }) => presentReference({ id: issue_id, key }, place)),
    steps: steps.map((step) => ({
      id: step.id,
      action: step.action,
      group: step.step_group,
      target_key: step.target_key,
      ...presentTarget(step.place, step.otherPlace),
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

/**
 * Converts a planned change to its API form. `places` contains tracker and project of each issue,
 * by issue id.
 */
export function presentPlan(plan: ChangePlan, places: ReadonlyMap<string, IssuePlace>): ChangePreview {
  return {
    kind: plan.kind,
    title: plan.title,
    rationale: plan.rationale,
    issue_keys: plan.issues.map((issue) => issue.key),
    issues: plan.issues.map((issue) => presentReference(issue, places.get(issue.id) ?? null)),
    base_hashes: previewedHashesOf(plan),
    steps: plan.steps.map(({ action, group = 0, issueId, key, before, after, memory }) => ({
      action,
      group,
      target_id: issueId,
      target_key: key,
      ...presentTarget(
        places.get(issueId) ?? places.get(memory?.project_id ?? '') ?? null,
        places.get(otherIssueOf(memory ?? {}) ?? '') ?? null,
      ),
      before,
      after,
    })),
    ...(plan.leftOut === undefined ? {} : { left_out: plan.leftOut }),
  };
}

function presentTarget(place: IssuePlace | null, otherPlace: IssuePlace | null) {
  return {
    target_project_id: place?.project_id ?? null,
    target_tracker: place && trackerOf(place),
    other_project_id: otherPlace?.project_id ?? null,
  };
}
