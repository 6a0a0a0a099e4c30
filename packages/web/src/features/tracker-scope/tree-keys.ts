import type { TreeRow } from './tree-rows.ts';

/** Effect of a key in the tree: moves the focus to a row, or acts on the focused row. */
export type TreeAction =
  | { type: 'focus'; id: string }
  | { type: 'expand' | 'collapse' | 'activate'; row: TreeRow };

/** Returns the organization row that contains a project or message row. */
function parentOf(rows: readonly TreeRow[], row: TreeRow): TreeRow | undefined {
  return rows.find(
    ({ kind, organization }) => kind === 'organization' && organization.id === row.organization.id,
  );
}

/**
 * Returns the effect of `key` (a `KeyboardEvent.key`) if row `focusedId` has the focus. Null if the
 * key has no effect. Follows the ARIA authoring practices for trees.
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

/**
 * Returns the id of the row that the Tab key focuses: the row that had the focus last. If this row
 * was removed, returns the row of its organization, or else the first row.
 */
export function tabStop(rows: readonly TreeRow[], lastFocusedId: string | null): string | null {
  const organizationId = lastFocusedId?.split('?')[0];
  const row =
    rows.find(({ id }) => id === lastFocusedId) ?? rows.find(({ id }) => id === organizationId) ?? rows[0];
  return row?.id ?? null;
}
