import type { BaseHashes, ChangeKind, LeftOut, StepAction, StepFields } from '@winnow/contract/change';
import type { StepMemory } from '../schema/change-tables.ts';

/** One planned step of a change. */
export interface PlannedStep {
  action: StepAction;
  /**
   * Number of the step's group. The first failure in a group skips the remaining steps of the
   * group. A failure in group 0 ends the whole change.
   */
  group?: number;
  issueId: string;
  key: string;
  before: StepFields;
  after: StepFields;
  /**
   * Further data of the step, such as the id of a duplicate's original. For an undo, the data
   * stored with the step to undo.
   */
  memory?: StepMemory;
}

/**
 * Returns the id of the second issue of a step: the original of a duplicate, or the other end of a
 * link.
 */
export function otherIssueOf({ original_id, linked_id }: StepMemory): string | undefined {
  return original_id ?? linked_id;
}

/** An issue of a change, as it was when the change was planned. */
interface PlannedIssue {
  id: string;
  key: string;
  /**
   * Hash of the content on which the plan is based. Null if the change does not depend on the
   * content, or if its steps check the content themselves (`base_hash`).
   */
  contentHash: string | null;
}

/** A planned change: its writes, in order. Created by pure functions and not saved yet. */
export interface ChangePlan {
  kind: ChangeKind;
  title: string;
  rationale: string | null;
  confidence: number | null;
  issues: PlannedIssue[];
  steps: PlannedStep[];
  /** Data that the planning feature needs when the change is applied or undone. */
  payload: Record<string, unknown>;
  /** Issues of a cluster that the change skips, with the reason. */
  leftOut?: LeftOut[];
}

/** Returns the content hashes of the issues that a change depends on, by issue id. */
export function baseHashesOf({ issues }: Pick<ChangePlan, 'issues'>): BaseHashes {
  return Object.fromEntries(
    issues.flatMap(({ id, contentHash }) => (contentHash === null ? [] : [[id, contentHash]])),
  );
}

/**
 * Returns the content hashes to display in a preview, by issue id. Includes issues that the change
 * may skip.
 */
export function previewedHashesOf(plan: Pick<ChangePlan, 'issues' | 'steps'>): BaseHashes {
  const groupHashes = plan.steps.flatMap(({ issueId, memory }) =>
    memory?.base_hash === undefined ? [] : [[issueId, memory.base_hash] as const],
  );
  return { ...baseHashesOf(plan), ...Object.fromEntries(groupHashes) };
}

type AppliedStep = PlannedStep & { memory: StepMemory };

/** Plans the steps that undo applied steps, in reverse order. Omits steps that cannot be undone. */
export function undoSteps(applied: readonly AppliedStep[]): PlannedStep[] {
  return applied.toReversed().flatMap((step) => {
    const undone = undoStep(step);
    return undone === null ? [] : [{ ...undone, group: step.group ?? 0 }];
  });
}

function undoStep(step: AppliedStep): PlannedStep | null {
  const target = { issueId: step.issueId, key: step.key };
  switch (step.action) {
    case 'edit': {
      const { left, native } = step.memory;
      const memory = {
        ...(left === undefined ? {} : { left }),
        ...(native === undefined ? {} : { restore: native }),
      };
      return { ...target, action: 'edit', before: step.after, after: step.before, memory };
    }
    case 'comment': {
      const { comment_external_id } = step.memory;
      if (comment_external_id === undefined) return null;
      const memory = { comment_external_id };
      return { ...target, action: 'delete_comment', before: step.after, after: {}, memory };
    }
    case 'create': {
      // Undoes a creation by closing the issue, because most users may not delete issues in a
      // tracker.
      const { left_hash } = step.memory;
      const memory = left_hash === undefined ? {} : { only_if: left_hash };
      const after = { state: 'closed', close_reason: 'not_planned' } as const;
      return { ...target, action: 'close', before: { state: 'opened' }, after, memory };
    }
    case 'assign':
    case 'change_labels':
      return { ...target, action: step.action, before: step.after, after: step.before };
    case 'close_as_duplicate':
    case 'close': {
      const { closed } = step.memory;
      const memory = closed === undefined ? {} : { closed };
      return { ...target, action: 'reopen', before: { state: 'closed' }, after: { state: 'opened' }, memory };
    }
    case 'reopen': {
      const after = { state: 'closed', close_reason: 'completed' } as const;
      return { ...target, action: 'close', before: { state: 'opened' }, after };
    }
    case 'mark_unrelated':
      return { ...target, action: 'unmark_unrelated', before: {}, after: {} };
    case 'link_blocking': {
      const { linked_id } = step.memory;
      const memory = linked_id === undefined ? {} : { linked_id };
      return { ...target, action: 'unlink_blocking', before: step.after, after: {}, memory };
    }
    case 'delete_comment':
    case 'unlink_blocking':
    case 'unmark_unrelated':
    case 'call_tool':
      return null;
  }
}
