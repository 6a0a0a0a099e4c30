import { Checkbox } from '@mantine/core';
import type { Pair } from '@winnow/contract/duplicate';
import { useVerdicts } from '../../../features/verdicts/queries.ts';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { isSelectable } from '../bulk/selection.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { useProposals } from '../queries.ts';
import { PairRow, type RowActions } from './pair-row.tsx';
import classes from './pair-table.module.css';

export type PairTableProps = RowActions & {
  pairs: readonly Pair[];
  selectedId: string | null;
  /** The row that the keyboard is on; null before it was used, then Tab reaches the first row. */
  currentId: string | null;
  /** An older page, shown while the next one loads. */
  stale: boolean;
  selection: Selection;
};

/**
 * Similar pairs. In a narrow table the two issues of a pair stand under each other, from 860 px beside each other:
 * the same cells, placed by a container query. CSS grid takes the table's own roles away, so they are given.
 */
export function PairTable({ pairs, selectedId, currentId, stale, selection, ...actions }: PairTableProps) {
  const reachable = pairs.some(({ id }) => id === currentId) ? currentId : (pairs[0]?.id ?? null);
  const verdictOn = useVerdicts(pairs);
  const proposalOn = useProposals();
  return (
    <table {...TABLE_ROLES.table} className={classes.table} aria-label="Similar issues" aria-busy={stale}>
      <thead {...TABLE_ROLES.group} className={classes.head}>
        <tr {...TABLE_ROLES.row} className={classes.headRow}>
          <th {...TABLE_ROLES.head} className={classes.select}>
            <Checkbox
              aria-label="Select all pairs on this page"
              checked={selection.page === 'all'}
              indeterminate={selection.page === 'some'}
              disabled={!pairs.some(isSelectable)}
              onChange={selection.togglePage}
            />
          </th>
          <th {...TABLE_ROLES.head} className={classes.first}>
            Issue 1
          </th>
          <th {...TABLE_ROLES.head} className={classes.second}>
            Issue 2
          </th>
          <th {...TABLE_ROLES.head} className={classes.similarity}>
            Similarity
          </th>
          <th {...TABLE_ROLES.head} className={classes.review}>
            AI Review
          </th>
          <th {...TABLE_ROLES.head} className={classes.actions}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody
        {...TABLE_ROLES.group}
        className={classes.body}
        data-stale={stale || undefined}
        data-walked={reachable === currentId || undefined}
      >
        {pairs.map((pair) => (
          <PairRow
            key={pair.id}
            pair={pair}
            verdict={verdictOn(pair)}
            proposal={proposalOn(pair)}
            selected={pair.id === selectedId}
            current={pair.id === reachable}
            replace={selectedId !== null}
            selection={selection}
            {...actions}
          />
        ))}
      </tbody>
    </table>
  );
}
