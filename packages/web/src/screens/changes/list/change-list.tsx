import type { UseQueryResult } from '@tanstack/react-query';
import {
  type ChangesSearch,
  isFiltered,
  PAGE_SIZE,
  withFilters,
} from '../../../features/changes/change-search.ts';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { Card } from '../../../ui/card.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import { Pagination } from '../../../ui/data-list/pagination.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import type { ChangeList as Page } from '../queries.ts';
import { ChangeTable } from './change-table.tsx';
import { EmptyChanges } from './empty-changes.tsx';

/** Rows that stand for the first ones while they load. */
const SKELETON_ROWS = 8;

export type ChangeListProps = {
  list: UseQueryResult<Page>;
  navigation: ScreenNavigation<ChangesSearch>;
  review: ListWalk;
};

/** The card with the table, in each of its states: loading, failed, empty, filled. */
export function ChangeList({ list, navigation, review }: ChangeListProps) {
  const { search, go, hrefFor } = navigation;
  const { data, error } = list;
  const retry = { onRetry: () => void list.refetch(), retrying: list.isFetching };
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} title="Changes could not be loaded" {...retry} />;
    return (
      <Card>
        <Loading label="Loading changes">
          <div className={frame.headGap} />
          <RowsSkeleton rows={SKELETON_ROWS} />
          <div className={frame.pagerGap} />
        </Loading>
      </Card>
    );
  }
  const pageHref = (page: number) => hrefFor({ ...search, page, selected: null });
  const lastPage = Math.ceil(data.total / PAGE_SIZE);
  return (
    <Card>
      {error === null ? null : (
        <div className={frame.failed}>
          <ErrorState error={error} title="This list could not be brought up to date" {...retry} />
        </div>
      )}
      {data.changes.length === 0 ? (
        <EmptyChanges
          filtered={isFiltered(search)}
          lastPageHref={lastPage === 0 ? null : pageHref(lastPage)}
          onClearAll={() => go(withFilters(search, { status: null, kind: null, issue: '' }))}
        />
      ) : (
        <>
          <ChangeTable
            changes={data.changes}
            selectedId={search.selected}
            currentId={review.currentId}
            stale={list.isPlaceholderData}
            hrefOf={(changeId) => hrefFor({ ...search, selected: changeId })}
            onOpen={review.open}
            onFocus={review.focus}
          />
          <Pagination page={search.page} pageSize={PAGE_SIZE} total={data.total} hrefFor={pageHref} />
        </>
      )}
    </Card>
  );
}
