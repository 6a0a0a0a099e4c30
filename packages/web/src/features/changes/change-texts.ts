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
 * Returns a change's title, such as `Merged A and B.`. A proposed or rejected change reads `Merge A
 * and B`.
 */
export function titleOf({ status, title }: Pick<Change, 'status' | 'title'>): string {
  if (status !== 'proposed' && status !== 'rejected') return title;
  return imperativeTitle(title);
}

/** Returns the requester's name, noting if it was an API key or a flow. */
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

/** Returns the decision on someone else's request, such as `Approved by Maya`, or null. */
export function decisionText(
  change: Pick<Change, 'actor' | 'status' | 'decided_by' | 'created_at' | 'decided_at'>,
) {
  const { actor, status, decided_by, created_at, decided_at } = change;
  if (decided_by === null || (decided_by === actor.name && decided_at === created_at)) return null;
  return `${status === 'rejected' ? 'Rejected' : 'Approved'} by ${decided_by}`;
}

/** Progress sentences for changes that call a tool of an external MCP server. */
const CALL_STATUS_TEXTS: Record<ChangeStatus, string> = {
  proposed: 'Nothing is called yet',
  applying: 'Applying',
  applied: 'Called',
  partly_applied: 'Not all of it was called.',
  failed: 'The call failed.',
  rejected: 'Rejected. Nothing was called.',
  undone: 'The call was undone.',
};

/** Describes in a sentence how much of a change has been written. */
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
