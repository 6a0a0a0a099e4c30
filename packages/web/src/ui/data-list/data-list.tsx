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

/** The loading state of a list, as a query has it. */
export type ListState<Row> = {
  /** Undefined until the first page is loaded. */
  rows: readonly Row[] | undefined;
  error: unknown;
  /** True while the rows of the previous page are shown because the next one is loading. */
  stale: boolean;
  retrying: boolean;
  retry: () => void;
};

/** Returns the state of a list that one query loads. */
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

/** Formats a total that counting may have capped: `1,000+` for more than 1,000. */
export function cappedText(total: number, capped: boolean): string {
  return capped ? `${countText(total)}+` : countText(total);
}

export type DataListProps<Row extends { id: string }> = Omit<DataTableProps<Row>, 'rows' | 'stale'> & {
  list: ListState<Row>;
  /** Heading of the card. Omit it if the list is the only one on its screen. */
  title?: CardProps['title'];
  /** Announced while the first page loads. */
  loadingLabel: string;
  /** Title of the error when the first page could not be loaded. */
  failedTitle?: string;
  /** Rows of the skeleton. */
  skeletonRows: number;
  /** Explains why the list has no rows, and what the user can do. */
  empty: ReactNode;
  /** Content between the card's edge and the head of the table. */
  above?: ReactNode;
  /** Content under the rows. If it appears later, no row moves. */
  below?: ReactNode;
  /** Note that more items match than the list shows. */
  cappedNote?: ReactNode;
  /** Pagination; omit to show all rows on one page. */
  pager?: PaginationProps;
};

/** The card with a list, in each of its states: loading, failed, empty, out of date, filled. */
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
   * True to reserve the heights of the head and the pager, so that nothing moves when rows arrive.
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
