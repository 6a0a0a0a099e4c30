import type { CloseReason } from '@winnow/contract/change';
import { editSteps, type ResultingTexts } from '../changes/edit-steps.ts';
import type { ChangePlan, PlannedStep } from '../changes/plan.ts';
import type { IssueView } from '../issues/service.ts';

/** What an agent asks for; what is left out stays as it is. */
export interface IssueUpdate extends ResultingTexts {
  addLabels?: readonly string[] | undefined;
  removeLabels?: readonly string[] | undefined;
  state?: 'opened' | 'closed' | undefined;
  /** Of a closing; `completed` when left out. */
  closeReason?: CloseReason | undefined;
}

/** An issue that is yet to be made. */
export interface Draft {
  title: string;
  description: string;
  labels: readonly string[];
  /** Logins. */
  assignees: readonly string[];
}

/** What is read of an issue that is to be edited. */
export type EditedIssue = Pick<
  IssueView,
  'id' | 'key' | 'title' | 'description' | 'state' | 'labels' | 'assignees' | 'content_hash'
>;

/** The plan of an edit before it is known who asks for it and why. */
export type EditPlan = Pick<ChangePlan, 'title' | 'issues' | 'steps'>;

/** Writes new texts, then labels, then the state; nothing of what is so already. */
export function planUpdate(issue: EditedIssue, update: IssueUpdate): EditPlan {
  const texts = editSteps(issue, update);
  const labels = labelSteps(issue, update);
  const state = stateSteps(issue, update);
  const steps = [...texts, ...labels, ...state];
  const [only] = steps.length === 1 ? steps : [];
  const issues = [texts.length + state.length > 0 ? asPlanned(issue) : asMerged(issue)];
  return { title: only ? titleOf(only) : `Updated ${issue.key}.`, issues, steps };
}

/** Whether these are the assignees of an issue, in whatever order. */
export function isAssignedTo({ assignees }: EditedIssue, logins: readonly string[]): boolean {
  return logins.length === assignees.length && logins.every((login) => assignees.includes(login));
}

/** Makes people the assignees of an issue, and nobody else; no step when they are. */
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

/** Comments on an issue. */
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

/** Makes an issue in a project. `standIn` is an id that stands for it until it is there. */
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

/** A label as it is written on the issue, where it is there in other letters: most trackers take those for the same. */
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

/** What a change of this one step is called once it is done. */
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

/** An issue of an edit that replaces no text or state: whatever else changes in it meanwhile stays. */
function asMerged({ id, key }: EditedIssue): ChangePlan['issues'][number] {
  return { id, key, contentHash: null };
}

/** An issue of an edit that is refused when the issue has changed meanwhile. */
function asPlanned({ id, key, content_hash: contentHash }: EditedIssue): ChangePlan['issues'][number] {
  return { id, key, contentHash };
}
