import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card, type CardProps } from '../card.tsx';
import { ErrorState } from '../states/error-state.tsx';
import { Loading, RowsSkeleton } from '../states/skeletons.tsx';
import { countText } from '../texts/count-text.ts';
import classes from './data-list.module.css';
import { DataTable, type DataTableProps } from './data-table.tsx';
import frame from './list-frame.module.css';
import { Pagination, type PaginationProps } from './pagination.tsx';

/** Loading state of a list, in the terms of TanStack Query. */
export type ListState<Row> = {
  /** Rows of the list. Undefined until the first page is loaded. */
  rows: readonly Row[] | undefined;
  error: unknown;
  /** True while the rows of the previous page are still shown because the next page is loading. */
  stale: boolean;
  retrying: boolean;
  retry: () => void;
};

/** Converts the result of a query to the loading state of a list. */
export function listStateOf<Data, Row>(
  query: UseQueryResult<Data>,
  rowsOf: (data: Data) => readonly Row[],
): ListState<Row> {
  return {
    rows: query.data === undefined ? undefined : rowsOf(query.data),
    error: query.error,
    stale: query.isPlaceholderData,
    retrying: query.isFetching,
    retry: () => void query.refetch(),
  };
}

/** Formats a total for which counting stops at a limit: `1,000+` means more than 1,000. */
export function cappedText(total: number, capped: boolean): string {
  return capped ? `${countText(total)}+` : countText(total);
}

export type DataListProps<Row extends { id: string }> = Omit<DataTableProps<Row>, 'rows' | 'stale'> & {
  list: ListState<Row>;
  /** Heading of the card. Omit it if the list is the only list on its screen. */
  title?: CardProps['title'];
  /** Text that screen readers announce while the first page loads. */
  loadingLabel: string;
  /** Title of the error message if the first page cannot be loaded. */
  failedTitle?: string;
  /** Number of rows in the loading placeholder. */
  skeletonRows: number;
  /** Explains why the list has no rows, and how the user can change that. */
  empty: ReactNode;
  /** Content between the top edge of the card and the header of the table. */
  above?: ReactNode;
  /** Content below the rows. When it appears, no row moves. */
  below?: ReactNode;
  /** Note that more items match than the list can show. */
  cappedNote?: ReactNode;
  /** Pagination. Omit it to show all rows on one page. */
  pager?: PaginationProps;
};

/** A card with a list, in each of its states: loading, failed, empty, outdated, filled. */
export function DataList<Row extends { id: string }>(props: DataListProps<Row>) {
  const { list, title, loadingLabel, failedTitle, skeletonRows, empty, above, below, cappedNote, pager } =
    props;
  const { rows, error, stale, retrying, retry } = list;
  const failure = { error, retrying, onRetry: retry };
  const failed = failedTitle === undefined ? {} : { title: failedTitle };
  if (rows === undefined && error !== null && title === undefined) {
    return <ErrorState {...failure} {...failed} />;
  }
  const isOutdated = rows !== undefined && title === undefined;
  return (
    <Card {...(title === undefined ? {} : { title })}>
      {error === null ? null : (
        <div className={frame.failed}>
          <ErrorState
            {...failure}
            {...(isOutdated ? { title: 'This list could not be brought up to date' } : failed)}
          />
        </div>
      )}
      {rows === undefined && error === null ? (
        <ListSkeleton label={loadingLabel} rows={skeletonRows} framed={title === undefined} />
      ) : null}
      {rows?.length === 0 ? empty : null}
      {rows === undefined || rows.length === 0 ? null : (
        <>
          {above}
          <DataTable {...props} rows={rows} stale={stale} />
          {below}
          {cappedNote === undefined ? null : <p className={classes.capped}>{cappedNote}</p>}
          {pager === undefined ? null : <Pagination {...pager} />}
        </>
      )}
    </Card>
  );
}

export type ListSkeletonProps = {
  label: string;
  rows: number;
  /**
   * True to reserve the heights of the table header and of the pagination. Nothing moves when the
   * rows arrive.
   */
  framed?: boolean;
};

/** Placeholder of a list while its first page loads. */
export function ListSkeleton({ label, rows, framed = true }: ListSkeletonProps) {
  return (
    <Loading label={label}>
      {framed ? <div className={frame.headGap} /> : null}
      <RowsSkeleton rows={rows} />
      {framed ? <div className={frame.pagerGap} /> : null}
    </Loading>
  );
}
