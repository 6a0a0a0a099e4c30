import type { TreeRow } from './tree-rows.ts';

/** What a key does to the tree: to which line the focus goes, or what happens to the focused one. */
export type TreeAction =
  | { type: 'focus'; id: string }
  | { type: 'expand' | 'collapse' | 'activate'; row: TreeRow };

/** The line a project or message hangs under. */
function parentOf(rows: readonly TreeRow[], row: TreeRow): TreeRow | undefined {
  return rows.find(
    ({ kind, organization }) => kind === 'organization' && organization.id === row.organization.id,
  );
}

/**
 * What `key` (as in `KeyboardEvent.key`) does while the line `focusedId` has the focus, as the ARIA authoring practices
 * have it for trees. Null when the key means nothing here.
 */
export function treeAction(rows: readonly TreeRow[], focusedId: string, key: string): TreeAction | null {
  const index = rows.findIndex(({ id }) => id === focusedId);
  const row = rows[index];
  if (row === undefined) return null;
  const to = (target: TreeRow | undefined): TreeAction | null =>
    target === undefined || target.id === focusedId ? null : { type: 'focus', id: target.id };
  switch (key) {
    case 'ArrowDown':
      return to(rows[index + 1]);
    case 'ArrowUp':
      return to(rows[index - 1]);
    case 'Home':
      return to(rows[0]);
    case 'End':
      return to(rows.at(-1));
    case 'ArrowRight':
      if (row.kind !== 'organization') return null;
      return row.expanded ? to(rows[index + 1]) : { type: 'expand', row };
    case 'ArrowLeft':
      if (row.kind !== 'organization') return to(parentOf(rows, row));
      return row.expanded ? { type: 'collapse', row } : null;
    case ' ':
    case 'Enter':
      return { type: 'activate', row };
    default:
      return null;
  }
}

/** The line that the Tab key reaches: the one that had the focus last, else its organization, else the first. */
export function tabStop(rows: readonly TreeRow[], lastFocusedId: string | null): string | null {
  const organizationId = lastFocusedId?.split('?')[0];
  const held =
    rows.find(({ id }) => id === lastFocusedId) ?? rows.find(({ id }) => id === organizationId) ?? rows[0];
  return held?.id ?? null;
}
