import {
  type Change,
  type ChangeKind,
  type ChangeStatus,
  isOutside,
  titleAhead,
} from '@winnow/contract/change';

/** How the kinds of changes are called. */
export const KIND_LABELS: Record<ChangeKind, string> = {
  resolution: 'Resolution',
  compliance: 'Compliance',
  dependency: 'Dependency',
  mcp: 'MCP',
  flow: 'Flow',
  undo: 'Undo',
};

/** The kinds that there are changes of. */
export const KINDS_OFFERED: readonly ChangeKind[] = [
  'resolution',
  'compliance',
  'dependency',
  'mcp',
  'flow',
  'undo',
];

/** What a change does, as `Merged A and B.`; while it is only proposed, or was turned down, what it would do: `Merge A and B`. */
export function titleOf({ status, title }: Pick<Change, 'status' | 'title'>): string {
  if (status !== 'proposed' && status !== 'rejected') return title;
  return titleAhead(title);
}

/** Who asked for a change, and through what when it was no person. */
export function askerText({ actor }: Pick<Change, 'actor'>): string {
  switch (actor.type) {
    case 'user':
      return actor.name;
    case 'api_key':
      return `${actor.name} (API key)`;
    case 'flow':
      return `${actor.name} (flow)`;
  }
}

/** What was decided about a change by somebody other than who asked, as `Approved by Maya`; null without that. */
export function decisionText(
  change: Pick<Change, 'actor' | 'status' | 'decided_by' | 'created_at' | 'decided_at'>,
) {
  const { actor, status, decided_by, created_at, decided_at } = change;
  if (decided_by === null || (decided_by === actor.name && decided_at === created_at)) return null;
  return `${status === 'rejected' ? 'Rejected' : 'Approved'} by ${decided_by}`;
}

/** The same of what calls a tool of an outside server. */
const CALL_STANDINGS: Record<ChangeStatus, string> = {
  proposed: 'Nothing is called yet',
  applying: 'Being called',
  applied: 'It was called',
  partly_applied: 'Not all of it was called.',
  failed: 'The call failed.',
  rejected: 'Rejected. Nothing was called.',
  undone: 'What was called has been taken back.',
};

/** How far a change is, in a sentence: what was written, and what not. */
export function standingText({ status, steps }: Pick<Change, 'status' | 'steps'>): string {
  const done = steps.filter((step) => step.status === 'applied' || step.status === 'undone').length;
  const written = `${done} of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
  if (steps.some(isOutside)) return CALL_STANDINGS[status];
  const sentences: Record<ChangeStatus, string> = {
    proposed: 'Nothing is written yet',
    applying: `Being written: ${written} done`,
    applied: 'Everything is written',
    partly_applied: `${written} done. The rest could not be written.`,
    failed: 'Nothing was written.',
    rejected: 'Rejected. Nothing was written.',
    undone: 'What was written has been taken back.',
  };
  return sentences[status];
}
