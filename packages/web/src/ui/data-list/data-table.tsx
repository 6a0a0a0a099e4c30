import { lazy, type MouseEvent, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import base from './list-table.module.css';
import { TABLE_ROLES } from './table-roles.ts';
import type { ListWalk } from './use-list-walk.ts';

/**
 * Minimum number of rows for windowing, which mounts only the visible rows. For fewer rows,
 * mounting all of them is faster.
 */
const MIN_WINDOWED_ROWS = 200;

const WindowedBody = lazy(() =>
  import('./windowed-body.tsx').then(({ WindowedBody: component }) => ({ default: component })),
);

/** State of a row, passed to the cells of the row. */
type RowState = {
  /**
   * True if links that open the row replace the history entry, because another row is already open.
   */
  replace: boolean;
};

export type Column<Row> = {
  id: string;
  head: ReactNode;
  /** Tooltip of the column header. */
  headTitle?: string;
  headClassName?: string;
  cell: (row: Row, state: RowState) => ReactNode;
  /** Tooltip of a cell, for a text that is truncated. */
  cellTitle?: (row: Row) => string;
  cellClassName?: string;
  /** CSS class of the header cell and of the other cells in the column. */
  className?: string | undefined;
};

/** CSS classes that lay out the table at each width. */
type TableClasses = Partial<Record<'table' | 'head' | 'headRow' | 'body' | 'row', string>>;

export type DataTableProps<Row extends { id: string }> = {
  /** Name of the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  classes: TableClasses;
  /** Keyboard navigation of the list. `currentId` is the row that the keyboard has reached. */
  walk: Pick<ListWalk, 'currentId' | 'focus' | 'rows'>;
  /** Id of the row that is open in the side panel. */
  selectedId?: string | null;
  /** True while the rows of the previous page are still shown because the next page is loading. */
  stale?: boolean;
  rowClassName?: (row: Row) => string | undefined;
  /**
   * Called when the user clicks a row. Clicks on links, buttons and fields in the row do not count.
   */
  onOpen: (row: Row) => void;
  /**
   * Called once when the user presses Enter on a row. By default, Enter opens the row, the same as
   * a click.
   */
  onEnter?: (row: Row) => void;
};

function join(...names: (string | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== '').join(' ');
}

/**
 * A list as a table of grid rows under a sticky header.
 * Each screen places the cells by container queries. CSS grid removes the implicit roles of table
 * elements, so the roles are set explicitly.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, classes, walk, selectedId = null, stale = false } = props;
  const { currentId } = walk;
  // Until the keyboard is used, Tab focuses the first row.
  const isListed = currentId !== null && rows.some(({ id }) => id === currentId);
  const reachable = isListed ? currentId : (rows[0]?.id ?? null);
  const rowOf = (row: Row, index?: number) => (
    <DataRow
      key={row.id}
      {...props}
      row={row}
      index={index}
      selected={row.id === selectedId}
      current={row.id === reachable}
      replace={selectedId !== null}
    />
  );
  const body = {
    ...TABLE_ROLES.group,
    className: join(base.body, classes.body),
    'data-stale': stale || undefined,
    'data-walked': isListed || undefined,
  };
  const isWindowed = rows.length >= MIN_WINDOWED_ROWS;
  return (
    <table
      {...TABLE_ROLES.table}
      className={join(base.table, classes.table)}
      aria-label={label}
      aria-busy={stale}
      aria-rowcount={isWindowed ? rows.length + 1 : undefined}
    >
      <thead {...TABLE_ROLES.group} className={join(base.head, classes.head)}>
        <tr {...TABLE_ROLES.row} className={join(base.headRow, classes.headRow)}>
          {columns.map(({ id, head, headTitle, headClassName, className }) => (
            <th
              {...TABLE_ROLES.head}
              className={join(className, headClassName) || undefined}
              title={headTitle}
              key={id}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {isWindowed ? (
        <Suspense fallback={<tbody {...body} />}>
          <WindowedBody
            body={body}
            ids={rows.map(({ id }) => id)}
            rowAt={(index) => {
              const row = rows[index];
              return row === undefined ? null : rowOf(row, index);
            }}
            registry={walk.rows}
          />
        </Suspense>
      ) : (
        <tbody {...body}>{rows.map((row) => rowOf(row))}</tbody>
      )}
    </table>
  );
}

type DataRowProps<Row extends { id: string }> = DataTableProps<Row> & {
  row: Row;
  /**
   * Index of the row in the whole list, if only the visible rows are mounted. Otherwise undefined.
   */
  index: number | undefined;
  selected: boolean;
  /** True for the row that the keyboard has reached. Tab focuses only this row. */
  current: boolean;
  replace: boolean;
};

function DataRow<Row extends { id: string }>(props: DataRowProps<Row>) {
  const { row, columns, classes, walk, index, selected, current, replace, onOpen, onEnter = onOpen } = props;
  // React also sends this row the events of a menu or dialog that was opened from it. These
  // elements are elsewhere in the DOM.
  const openUnlessControl = ({ currentTarget, target, button }: MouseEvent<HTMLElement>) => {
    const isOurs = target instanceof Element && currentTarget.contains(target);
    if (isOurs && target.closest('a, button, input') === null && button === 0) onOpen(row);
  };
  return (
    <tr
      {...TABLE_ROLES.row}
      id={`row-${row.id}`}
      ref={walk.rows.ref(row.id)}
      className={join(base.row, classes.row, props.rowClassName?.(row))}
      tabIndex={current ? 0 : -1}
      aria-current={selected ? 'true' : undefined}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-index={index}
      onClick={openUnlessControl}
      onFocus={({ currentTarget, target }) => {
        if (currentTarget.contains(target)) walk.focus(row.id);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!event.repeat) onEnter(row);
      }}
    >
      {columns.map(({ id, cell, cellTitle, cellClassName, className }) => (
        <td
          {...TABLE_ROLES.cell}
          className={join(className, cellClassName) || undefined}
          title={cellTitle?.(row)}
          key={id}
        >
          {cell(row, { replace })}
        </td>
      ))}
    </tr>
  );
}

export type RowTitleProps = {
  /** URL of the list with this row open in the panel. */
  to: string;
  title: string;
  replace?: boolean;
  className?: string | undefined;
  /** The title with highlighted matches. Default: the plain title. */
  children?: ReactNode;
};

/**
 * The title of a row, as a link that opens the row. Tab skips the link, because Enter on the row
 * has the same effect.
 */
export function RowTitle({ to, title, replace = false, className, children = title }: RowTitleProps) {
  return (
    <Link
      className={join(base.title, className, 'trunc')}
      to={to}
      replace={replace}
      title={title}
      dir="auto"
      tabIndex={-1}
      preventScrollReset
    >
      {children}
    </Link>
  );
}
