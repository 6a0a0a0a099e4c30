import { Button } from '@mantine/core';
import { IconHistory, IconListSearch } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ScreenNavigation } from '../../../ui/address/use-screen-search.ts';
import { Card } from '../../../ui/card.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import { Pagination } from '../../../ui/data-list/pagination.tsx';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { ExecutionTable } from './execution-table.tsx';
import type { ExecutionPage } from './queries.ts';
import { type ExecutionsSearch, PAGE_SIZE } from './search-params.ts';

export type ExecutionListProps = {
  list: UseQueryResult<ExecutionPage>;
  navigation: ScreenNavigation<ExecutionsSearch>;
  walk: ListWalk;
};

/** The card with the table, in each of its states: loading, failed, empty, filled. */
export function ExecutionList({ list, navigation, walk }: ExecutionListProps) {
  const { search, go, hrefFor } = navigation;
  const { data, error } = list;
  const retry = { onRetry: () => void list.refetch(), retrying: list.isFetching };
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} title="Executions could not be loaded" {...retry} />;
    return (
      <Card>
        <Loading label="Loading executions">
          <div className={frame.headGap} />
          <RowsSkeleton rows={8} />
          <div className={frame.pagerGap} />
        </Loading>
      </Card>
    );
  }
  const isFiltered = search.flow !== null || search.status !== null;
  return (
    <Card>
      {error === null ? null : (
        <div className={frame.failed}>
          <ErrorState error={error} title="This list could not be brought up to date" {...retry} />
        </div>
      )}
      {data.executions.length > 0 ? (
        <>
          <ExecutionTable
            executions={data.executions}
            currentId={walk.currentId}
            stale={list.isPlaceholderData}
            onOpen={walk.open}
            onFocus={walk.focus}
          />
          <Pagination
            page={search.page}
            pageSize={PAGE_SIZE}
            total={data.total}
            hrefFor={(page) => hrefFor({ ...search, page })}
          />
        </>
      ) : isFiltered || search.page > 1 ? (
        <EmptyState
          icon={IconListSearch}
          title="No executions found here."
          action={<Button onClick={() => go({ page: 1, flow: null, status: null })}>Show all</Button>}
        />
      ) : (
        <EmptyState
          icon={IconHistory}
          title="No flow has run yet"
          action={
            <Button component={Link} to="/console/flows" variant="filled">
              Go to Flows
            </Button>
          }
        >
          Whatever a flow does is kept here: what started it, every call it made, what it proposed, and what
          it cost.
        </EmptyState>
      )}
    </Card>
  );
}
