import { useQuery } from '@tanstack/react-query';
import {
  PAGE_SIZE,
  parseSearch,
  serializeSearch,
  withFilters,
} from '../../features/changes/change-search.ts';
import { type ChangeAction, useChangeActions } from '../../features/changes/use-change-actions.ts';
import { undoLastDecision } from '../../features/decisions/decision-toasts.ts';
import { type ChangeListFilters, changeOptions } from '../../features/decisions/queries.ts';
import { usePermittedKeys } from '../../features/workspaces/permitted-keys.ts';
import { useScreenSearch } from '../../ui/address/use-screen-search.ts';
import { useListWalk } from '../../ui/data-list/use-list-walk.ts';
import { KeyHints } from '../../ui/keyboard/key-hints.tsx';
import { isUnderDialog } from '../../ui/keyboard/screen-keys.ts';
import { useListedShortcuts } from '../../ui/keyboard/shortcuts.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { ExportMenu } from './export/export-menu.tsx';
import { Filters } from './filters.tsx';
import { ChangeList } from './list/change-list.tsx';
import { ChangePanel } from './panel/change-panel.tsx';
import { useChangeList, useNamedIssue } from './queries.ts';
import { SHORTCUT_SECTION, SHORTCUTS, useShortcuts } from './shortcuts.ts';

/** Changes screen: lists the ledger of all writes, and lets users approve and undo them. */
export function ChangesScreen() {
  const navigation = useScreenSearch(parseSearch, serializeSearch);
  const { search, go } = navigation;
  const issue = useNamedIssue(search.issue);
  const filters: ChangeListFilters = {
    status: search.status ?? undefined,
    kind: search.kind ?? undefined,
    issue_id: issue.data?.id,
  };
  const list = useChangeList(
    { ...filters, limit: PAGE_SIZE, skip: (search.page - 1) * PAGE_SIZE },
    search.issue === '' || issue.data !== undefined,
  );
  const walk = useListWalk({
    ids: list.data?.changes.map(({ id }) => id) ?? [],
    page: search.page,
    pageSize: PAGE_SIZE,
    total: list.data?.total ?? 0,
    selectedId: search.selected,
    go: ({ page, selectedId }, options) => go({ ...search, page, selected: selectedId }, options),
  });
  // The panel polls the selected change. This query reads the same data from the cache.
  const { data: displayed } = useQuery({
    ...changeOptions(search.selected ?? ''),
    enabled: search.selected !== null,
    refetchInterval: false,
  });
  const deciding = useChangeActions();

  /**
   * Returns a keyboard handler that decides on the selected change, but only once the panel
   * displays it. If no panel is open, the handler opens it.
   */
  const decide = (kind: ChangeAction) => () => {
    if (search.selected === null) {
      if (walk.currentId !== null) walk.open(walk.currentId);
    } else if (displayed?.id === search.selected) deciding.decide(kind, displayed);
  };
  const closePanel = () => {
    // A dialog above the panel also closes on Escape. Keep the panel open in this case.
    if (!isUnderDialog()) walk.close();
  };

  useListedShortcuts(SHORTCUT_SECTION);
  const keys = {
    j: () => walk.next?.(),
    k: () => walk.previous?.(),
    Enter: () => {
      if (walk.currentId !== null) walk.open(walk.currentId);
    },
    a: decide('approve'),
    r: decide('reject'),
    z: search.selected === null ? () => void undoLastDecision() : decide('undo'),
    Escape: closePanel,
  };
  useShortcuts(usePermittedKeys(keys, 'write', ['a', 'r', 'z']));

  return (
    <Page
      width="full"
      footer={<KeyHints shortcuts={SHORTCUTS} />}
      panel={
        search.selected === null ? undefined : (
          <ChangePanel changeId={search.selected} walk={walk} deciding={deciding} onClose={closePanel} />
        )
      }
    >
      <Filters search={search} onChange={(changed) => go(withFilters(search, changed))}>
        <ExportMenu filters={filters} disabled={list.data === undefined} />
      </Filters>
      {issue.error === null ? (
        <ChangeList list={list} navigation={navigation} walk={walk} />
      ) : (
        <ErrorState
          error={issue.error}
          title={`${search.issue} could not be found`}
          onRetry={() => void issue.refetch()}
          retrying={issue.isFetching}
        />
      )}
    </Page>
  );
}
