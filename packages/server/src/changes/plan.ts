import type { ChangeKind, StepAction, StepFields } from '@winnow/contract/change';
import type { StepMemory } from '../schema/tables.ts';

/** One step as a planner asks for it. */
export interface PlannedStep {
  action: StepAction;
  issueId: string;
  key: string;
  before: StepFields;
  after: StepFields;
  /** What the step must know beside its fields: of the one it takes back, or the issue a close leads to. */
  memory?: StepMemory;
}

/** An issue a change speaks of, as it was when the change was planned. */
export interface PlannedIssue {
  id: string;
  key: string;
  contentHash: string;
}

/** A change before it is saved: what would be written, in the order it would run. Made by pure functions. */
export interface ChangePlan {
  kind: ChangeKind;
  title: string;
  rationale: string | null;
  confidence: number | null;
  issues: PlannedIssue[];
  steps: PlannedStep[];
  /** What the proposing feature needs to know again when the change was applied or undone. */
  payload: Record<string, unknown>;
}

type AppliedStep = PlannedStep & { memory: StepMemory };

/** The steps that take applied steps back, last first. What cannot be taken back has none. */
export function undoSteps(applied: readonly AppliedStep[]): PlannedStep[] {
  return applied.toReversed().flatMap((step) => {
    const undone = undoStep(step);
    return undone === null ? [] : [undone];
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
    case 'close_as_duplicate': {
      const { closed } = step.memory;
      const memory = closed === undefined ? {} : { closed };
      return { ...target, action: 'reopen', before: { state: 'closed' }, after: { state: 'opened' }, memory };
    }
    case 'mark_unrelated':
      return { ...target, action: 'unmark_unrelated', before: {}, after: {} };
    case 'link_blocking': {
      const { linked_id } = step.memory;
      const memory = linked_id === undefined ? {} : { linked_id };
      return { ...target, action: 'unlink_blocking', before: step.after, after: {}, memory };
    }
    case 'reopen':
    case 'delete_comment':
    case 'unlink_blocking':
    case 'unmark_unrelated':
      return null;
  }
}
