import type { Change } from '@winnow/contract/change';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { ChangeRow } from './change-row.tsx';
import classes from './change-table.module.css';

export type ChangeTableProps = {
  changes: readonly Change[];
  selectedId: string | null;
  /** The row that the keyboard is on; null before it was used, then Tab reaches the first row. */
  currentId: string | null;
  /** An older page, shown while the next one loads. */
  stale: boolean;
  hrefOf: (changeId: string) => string;
  onOpen: (changeId: string) => void;
  onFocus: (changeId: string) => void;
};

/** Changes, newest first. Where there is no room, people and kind are left to the panel. */
export function ChangeTable({
  changes,
  selectedId,
  currentId,
  stale,
  hrefOf,
  ...handlers
}: ChangeTableProps) {
  const reachable = changes.some(({ id }) => id === currentId) ? currentId : (changes[0]?.id ?? null);
  return (
    <table {...TABLE_ROLES.table} className={classes.table} aria-label="Changes" aria-busy={stale}>
      <thead {...TABLE_ROLES.group} className={classes.head}>
        <tr {...TABLE_ROLES.row} className={classes.headRow}>
          <th {...TABLE_ROLES.head} className={classes.change}>
            Change
          </th>
          <th {...TABLE_ROLES.head} className={classes.kind}>
            Kind
          </th>
          <th {...TABLE_ROLES.head} className={classes.people}>
            Asked by
          </th>
          <th {...TABLE_ROLES.head} className={classes.status}>
            Status
          </th>
          <th {...TABLE_ROLES.head} className={classes.time}>
            When
          </th>
        </tr>
      </thead>
      <tbody
        {...TABLE_ROLES.group}
        className={classes.body}
        data-stale={stale || undefined}
        data-walked={reachable === currentId || undefined}
      >
        {changes.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            to={hrefOf(change.id)}
            selected={change.id === selectedId}
            current={change.id === reachable}
            replace={selectedId !== null}
            {...handlers}
          />
        ))}
      </tbody>
    </table>
  );
}
