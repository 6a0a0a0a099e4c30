import type { StepMemory } from '../schema/change-tables.ts';
import { type ChangePlan, type PlannedStep, undoSteps } from './plan.ts';
import type * as store from './store.ts';

/** Restores the plan from a saved change. */
export function planOf({ change, steps, issues }: store.ChangeRecord): ChangePlan {
  return {
    kind: change.kind,
    title: change.title,
    rationale: change.rationale,
    confidence: change.confidence,
    issues: issues.map(({ issue_id, key }) => ({
      id: issue_id,
      key,
      contentHash: change.base_hashes[issue_id] ?? null,
    })),
    steps: steps.map(plannedStep),
    payload: change.payload,
  };
}

/** Restores the planned step from a saved step. */
export function plannedStep(step: store.StepRow): PlannedStep & { memory: StepMemory } {
  const { action, target_issue_id: issueId, target_key: key, before, after, result: memory } = step;
  const group = step.step_group;
  return { action, group, issueId, key, before, after, memory };
}

/** True if the change `undo` reverts every step that the change `original` has applied. */
export function isUndoOf(undo: store.ChangeRecord, original: store.ChangeRecord): boolean {
  const applied = original.steps.filter((step) => step.status === 'applied').map(plannedStep);
  const name = ({ action, issueId }: { action: string; issueId: string }) => `${action} ${issueId}`;
  const wanted = undoSteps(applied).map(name);
  const planned = undo.steps.map((step) => name({ action: step.action, issueId: step.target_issue_id }));
  return wanted.length === planned.length && wanted.every((one, index) => one === planned[index]);
}
