import { isId } from '@winnow/contract/primitives';
import type { KeyValueStorage } from './token-store.ts';

const WORKSPACE_KEY = 'workspace';

/** The workspace that this tab shows. Null is the personal one of the user. */
export type WorkspaceStore = {
  selected(): string | null;
  /** Selects a workspace for this tab, and for tabs that are opened later. */
  select(workspaceId: string | null): void;
};

/**
 * Creates a store that keeps the selection per tab. A new tab starts with the selection that was
 * made last. `address` is the URL of the page: its parameter `workspace` selects one as well.
 */
export function createWorkspaceStore(
  tab: KeyValueStorage,
  lasting: KeyValueStorage,
  address: URL,
): WorkspaceStore {
  const store: WorkspaceStore = {
    selected() {
      const stored = tab.getItem(WORKSPACE_KEY);
      return stored === null || stored === '' ? null : stored;
    },
    select(workspaceId) {
      // An empty text differs from no selection, so that the tab does not take the last one again.
      tab.setItem(WORKSPACE_KEY, workspaceId ?? '');
      if (workspaceId === null) lasting.removeItem(WORKSPACE_KEY);
      else lasting.setItem(WORKSPACE_KEY, workspaceId);
    },
  };
  const linked = address.searchParams.get('workspace');
  if (linked !== null && isId(linked)) store.select(linked);
  else if (tab.getItem(WORKSPACE_KEY) === null)
    tab.setItem(WORKSPACE_KEY, lasting.getItem(WORKSPACE_KEY) ?? '');
  return store;
}
