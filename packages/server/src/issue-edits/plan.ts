import type { CloseReason } from '@winnow/contract/change';
import { type ChangePlan, editSteps, type PlannedStep, type ResultingTexts } from '../changes/index.ts';
import type { IssueView } from '../issues/index.ts';

/** A requested update. Omitted fields stay unchanged. */
export interface IssueUpdate extends ResultingTexts {
  addLabels?: readonly string[] | undefined;
  removeLabels?: readonly string[] | undefined;
  state?: 'opened' | 'closed' | undefined;
  /** Reason for closing the issue; `completed` if omitted. */
  closeReason?: CloseReason | undefined;
}

/** An issue to create. */
export interface Draft {
  title: string;
  description: string;
  labels: readonly string[];
  assignees: readonly string[];
}

/** Fields of an issue that are needed to plan an edit. */
export type EditedIssue = Pick<
  IssueView,
  'id' | 'key' | 'title' | 'description' | 'state' | 'labels' | 'assignees' | 'content_hash'
>;

/** Plan of an edit. The request adds the remaining fields. */
export type EditPlan = Pick<ChangePlan, 'title' | 'issues' | 'steps'>;

/**
 * Plans steps for texts, then for labels, then for the state. Skips values that the issue already
 * has.
 */
export function planUpdate(issue: EditedIssue, update: IssueUpdate): EditPlan {
  const texts = editSteps(issue, update);
  const labels = labelSteps(issue, update);
  const state = stateSteps(issue, update);
  const steps = [...texts, ...labels, ...state];
  const [only] = steps.length === 1 ? steps : [];
  const issues = [texts.length + state.length > 0 ? asPlanned(issue) : asMerged(issue)];
  return { title: only ? titleOf(only) : `Updated ${issue.key}.`, issues, steps };
}

/** True if `logins` are the assignees of an issue, in any order. */
export function isAssignedTo({ assignees }: EditedIssue, logins: readonly string[]): boolean {
  return logins.length === assignees.length && logins.every((login) => assignees.includes(login));
}

/** Plans to replace the assignees of an issue. Returns no step if they are already assigned. */
export function planAssign(issue: EditedIssue, logins: readonly string[]): EditPlan {
  const step: PlannedStep = {
    action: 'assign',
    issueId: issue.id,
    key: issue.key,
    before: { assignees: issue.assignees },
    after: { assignees: [...logins] },
  };
  return {
    title: titleOf(step),
    issues: [asMerged(issue)],
    steps: isAssignedTo(issue, logins) ? [] : [step],
  };
}

export function planComment(issue: EditedIssue, comment: string): EditPlan {
  const step: PlannedStep = {
    action: 'comment',
    issueId: issue.id,
    key: issue.key,
    before: {},
    after: { comment },
  };
  return { title: titleOf(step), issues: [asMerged(issue)], steps: [step] };
}

/**
 * Plans the creation of an issue. `standIn` is the temporary id of the issue until it is created.
 */
export function planCreate(
  project: { id: string; identifier: string },
  { title, description, labels, assignees }: Draft,
  standIn: string,
): EditPlan {
  const step: PlannedStep = {
    action: 'create',
    issueId: standIn,
    key: project.identifier,
    before: {},
    after: { title, description, labels: [...labels], assignees: [...assignees] },
    memory: { project_id: project.id },
  };
  return { title: titleOf(step), issues: [], steps: [step] };
}

function labelSteps(issue: EditedIssue, { addLabels = [], removeLabels = [] }: IssueUpdate): PlannedStep[] {
  const removed = removeLabels.map((label) => asOn(issue, label));
  const kept = issue.labels.filter((label) => !removed.includes(label));
  const labels = [...new Set([...kept, ...addLabels.map((label) => asOn(issue, label))])];
  if (labels.length === issue.labels.length && labels.every((label) => issue.labels.includes(label)))
    return [];
  const before = { labels: issue.labels };
  return [{ action: 'change_labels', issueId: issue.id, key: issue.key, before, after: { labels } }];
}

/**
 * Returns a label in the spelling that the issue already has. Most trackers compare labels
 * case-insensitively.
 */
function asOn({ labels }: EditedIssue, wanted: string): string {
  if (labels.includes(wanted)) return wanted;
  return labels.find((label) => label.toLowerCase() === wanted.toLowerCase()) ?? wanted;
}

function stateSteps(issue: EditedIssue, { state, closeReason = 'completed' }: IssueUpdate): PlannedStep[] {
  if (state === undefined || state === issue.state) return [];
  const [before, after] = [{ state: issue.state }, { state }];
  const target = { issueId: issue.id, key: issue.key };
  return state === 'closed'
    ? [{ ...target, action: 'close', before, after: { ...after, close_reason: closeReason } }]
    : [{ ...target, action: 'reopen', before, after }];
}

/** Returns the title of a change that consists of this single step, in the past tense. */
function titleOf({ action, key, after }: PlannedStep): string {
  const people = after.assignees ?? [];
  switch (action) {
    case 'create':
      return `Created “${after.title}” in ${key}.`;
    case 'assign':
      return people.length === 0 ? `Unassigned ${key}.` : `Assigned ${key} to ${people.join(', ')}.`;
    case 'change_labels':
      return `Labeled ${key}.`;
    case 'comment':
      return `Commented on ${key}.`;
    case 'close':
      return `Closed ${key} as ${after.close_reason === 'not_planned' ? 'not planned' : 'completed'}.`;
    case 'reopen':
      return `Reopened ${key}.`;
    default:
      return `Updated ${key}.`;
  }
}

/**
 * Describes an issue whose text and state the edit does not touch. The edit applies even if others
 * change the issue in the meantime.
 */
function asMerged({ id, key }: EditedIssue): ChangePlan['issues'][number] {
  return { id, key, contentHash: null };
}

/**
 * Describes an issue whose text or state the edit changes. The edit is refused if others change the
 * issue in the meantime.
 */
function asPlanned({ id, key, content_hash: contentHash }: EditedIssue): ChangePlan['issues'][number] {
  return { id, key, contentHash };
}
