import {
  type Change,
  type ChangeKind,
  type ChangeStatus,
  imperativeTitle,
  isExternalCall,
} from '@winnow/contract/change';

/** Labels of the kinds of changes. */
export const KIND_LABELS: Record<ChangeKind, string> = {
  resolution: 'Resolution',
  cluster: 'Cluster',
  compliance: 'Compliance',
  dependency: 'Dependency',
  mcp: 'MCP',
  flow: 'Flow',
  undo: 'Undo',
};

/** Kinds of changes offered in the filter. */
export const KINDS_OFFERED: readonly ChangeKind[] = [
  'resolution',
  'cluster',
  'compliance',
  'dependency',
  'mcp',
  'flow',
  'undo',
];

/**
 * Returns the title of a change, such as `Merged A and B.`. The title of a proposed or rejected
 * change is in the imperative: `Merge A and B`.
 */
export function titleOf({ status, title }: Pick<Change, 'status' | 'title'>): string {
  if (status !== 'proposed' && status !== 'rejected') return title;
  return imperativeTitle(title);
}

/**
 * Returns the name of the user, API key or flow that requested a change. Adds `(API key)` or
 * `(flow)` to the name.
 */
export function requesterText({ actor }: Pick<Change, 'actor'>): string {
  switch (actor.type) {
    case 'user':
      return actor.name;
    case 'api_key':
      return `${actor.name} (API key)`;
    case 'flow':
      return `${actor.name} (flow)`;
  }
}

/**
 * Returns who approved or rejected a change, such as `Approved by Maya`. Null if the change awaits
 * a decision, or if the requester approved it when creating it.
 */
export function decisionText(
  change: Pick<Change, 'actor' | 'status' | 'decided_by' | 'created_at' | 'decided_at'>,
) {
  const { actor, status, decided_by, created_at, decided_at } = change;
  if (decided_by === null || (decided_by === actor.name && decided_at === created_at)) return null;
  return `${status === 'rejected' ? 'Rejected' : 'Approved'} by ${decided_by}`;
}

/** Progress texts for changes that call a tool of an external MCP server. */
const CALL_STATUS_TEXTS: Record<ChangeStatus, string> = {
  proposed: 'The tool has not been called yet',
  applying: 'Applying',
  applied: 'Called',
  partly_applied: 'Not all calls were made.',
  failed: 'The call failed.',
  rejected: 'Rejected. The tool was not called.',
  undone: 'The call was undone.',
};

/** Returns a sentence that states how much of a change has been written to the trackers. */
export function writtenStepsText({ status, steps }: Pick<Change, 'status' | 'steps'>): string {
  const done = steps.filter((step) => step.status === 'applied' || step.status === 'undone').length;
  const written = `${done} of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
  if (steps.some(isExternalCall)) return CALL_STATUS_TEXTS[status];
  const sentences: Record<ChangeStatus, string> = {
    proposed: 'Nothing is written yet',
    applying: `Applying: ${written} done`,
    applied: 'Everything is written',
    partly_applied: `${written} done. The rest could not be written.`,
    failed: 'Nothing was written.',
    rejected: 'Rejected. Nothing was written.',
    undone: 'Everything that was written has been undone.',
  };
  return sentences[status];
}
