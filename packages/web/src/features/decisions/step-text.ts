import { type ChangePreview, isExternalCall, STEP_ACTIONS, type StepAction } from '@winnow/contract/change';

/** A step of a change, as returned in previews and in the ledger. */
export type StepLike = ChangePreview['steps'][number];

/** True if an action writes to a tracker. */
export function writesToTracker(action: StepAction): boolean {
  return STEP_ACTIONS[action] === 'tracker';
}

function editedFields({ title, description }: StepLike['after']): string {
  if (title === undefined) return 'description';
  return description === undefined ? 'title' : 'title and description';
}

function peopleText(assignees: readonly string[] = []): string {
  return assignees.length === 0 ? 'to no one' : `to ${assignees.join(', ')}`;
}

function labelsText(before: readonly string[] = [], after: readonly string[] = []): string {
  const added = after.filter((label) => !before.includes(label)).map((label) => `+${label}`);
  const removed = before.filter((label) => !after.includes(label)).map((label) => `\u2212${label}`);
  return [...added, ...removed].join(', ');
}

/** Describes a step in four parts: text, issue key, text, and the key of the other issue. */
export function stepWords(step: Pick<StepLike, 'action' | 'target_key' | 'before' | 'after'>): {
  before: string;
  key: string;
  between: string;
  otherKey: string | null;
} {
  const { action, target_key: key, before, after } = step;
  switch (action) {
    case 'edit':
      return { before: `Edit the ${editedFields(after)} of`, key, between: '', otherKey: null };
    case 'create':
      return { before: 'Create an issue in', key, between: '', otherKey: null };
    case 'assign':
      return { before: 'Assign', key, between: peopleText(after.assignees), otherKey: null };
    case 'change_labels':
      return { before: 'Label', key, between: labelsText(before.labels, after.labels), otherKey: null };
    case 'close': {
      const between = after.close_reason === 'not_planned' ? 'as not planned' : 'as completed';
      return { before: 'Close', key, between, otherKey: null };
    }
    case 'comment':
      return { before: 'Comment on', key, between: '', otherKey: null };
    case 'close_as_duplicate':
      return { before: 'Close', key, between: 'as a duplicate of', otherKey: after.duplicate_of ?? null };
    case 'reopen':
      return { before: 'Reopen', key, between: '', otherKey: null };
    case 'delete_comment':
      return { before: 'Delete the comment on', key, between: '', otherKey: null };
    case 'link_blocking':
      return { before: 'Mark', key, between: 'as blocking', otherKey: after.blocks ?? null };
    case 'unlink_blocking':
      return { before: 'Unmark', key, between: 'as blocking', otherKey: before.blocks ?? null };
    case 'mark_unrelated':
      return { before: 'Mark the pair of', key, between: 'as unrelated', otherKey: null };
    case 'unmark_unrelated':
      return { before: 'Unmark the pair of', key, between: 'as unrelated', otherKey: null };
    case 'call_tool':
      return { before: 'Call', key, between: '', otherKey: null };
  }
}

const STATE_WORDS = { opened: 'Opened', closed: 'Closed' } as const;

/**
 * Returns the states of the issue before and after a step; null if the step does not change the
 * state.
 */
export function stateMove(step: Pick<StepLike, 'before' | 'after'>): { from: string; to: string } | null {
  const { before, after } = step;
  if (before.state === undefined || after.state === undefined) return null;
  return { from: STATE_WORDS[before.state], to: STATE_WORDS[after.state] };
}

/**
 * Returns a short text that states where a change takes effect, such as `2 writes` or `In Winnow
 * only`.
 */
export function effectText(steps: readonly Pick<StepLike, 'action'>[]): string {
  if (steps.some(isExternalCall)) return 'Outside of Winnow and its trackers';
  const writes = steps.filter((step) => writesToTracker(step.action)).length;
  return writes === 0 ? 'In Winnow only' : writesText(writes);
}

/**
 * Formats a number of writes, such as `3 writes to GitHub`. Without trackers it reads `3 writes`.
 */
export function writesText(count: number, trackers: readonly string[] = []): string {
  const writes = count === 1 ? '1 write' : `${count} writes`;
  return trackers.length === 0 || count === 0 ? writes : `${writes} to ${trackers.join(' and ')}`;
}
