import { type ChangesSearch, PAGE_SIZE } from '../../features/changes/change-search.ts';
import type { ScreenNavigation } from '../../ui/address/use-screen-search.ts';
import { type ListWalk, useListWalk } from '../../ui/data-list/use-list-walk.ts';
import { changeRowId } from './list/row-id.ts';
import type { ChangeList } from './queries.ts';

/** Moves through a page of changes. */
export function useChanges(
  list: ChangeList | undefined,
  { search, go }: ScreenNavigation<ChangesSearch>,
): ListWalk {
  return useListWalk({
    ids: list?.changes.map(({ id }) => id) ?? [],
    page: search.page,
    pageSize: PAGE_SIZE,
    total: list?.total ?? 0,
    selectedId: search.selected,
    rowIdOf: changeRowId,
    go: ({ page, selectedId }, options) => go({ ...search, page, selected: selectedId }, options),
  });
}
