import { type ListWalk, useListWalk } from '../../ui/use-list-walk.ts';
import type { ScreenNavigation } from '../../ui/use-screen-search.ts';
import { changeRowId } from './list/row-id.ts';
import type { ChangeList } from './queries.ts';
import { type ChangesSearch, PAGE_SIZE } from './search-params.ts';

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
