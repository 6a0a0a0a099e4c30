import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { TABLE_ROLES } from '../../ui/data-list/table-roles.ts';
import { countText } from '../../ui/texts/count-text.ts';
import { type EndpointLine, sortedEndpoints } from './endpoints.ts';
import type { SortName, UsageSearch } from './search-params.ts';
import classes from './usage-table.module.css';
import { durationText, shareText } from './usage-texts.ts';

/** Number of endpoints displayed until the user clicks 'Show all'. */
const INITIAL_ROWS = 10;

const COLUMNS = {
  endpoint: 'Endpoint',
  count: 'Requests',
  p50_ms: 'Median',
  p95_ms: '95%',
  errors: 'Failed',
} as const satisfies Record<SortName, string>;

type Sorting = Pick<UsageSearch, 'sort' | 'reversed'>;

function Head({ name, sorting, onSort }: { name: SortName; sorting: Sorting; onSort: () => void }) {
  const sorted = sorting.sort === name;
  const ascending = (name === 'endpoint') !== sorting.reversed;
  const Arrow = ascending ? IconChevronUp : IconChevronDown;
  return (
    <th {...TABLE_ROLES.head} {...(sorted && { 'aria-sort': ascending ? 'ascending' : 'descending' })}>
      <button type="button" className={classes.sort} onClick={onSort}>
        {COLUMNS[name]}
        {sorted ? <Arrow size={12} stroke={2} aria-hidden /> : null}
      </button>
    </th>
  );
}

function Row({ endpoint, method, count, errors, p50_ms, p95_ms }: EndpointLine) {
  return (
    <tr {...TABLE_ROLES.row} className={classes.row}>
      <th {...TABLE_ROLES.rowHead}>
        <span className={classes.endpoint}>
          <span className={classes.method}>{method}</span>
          <code>{endpoint}</code>
        </span>
      </th>
      <td {...TABLE_ROLES.cell}>{countText(count)}</td>
      <td {...TABLE_ROLES.cell}>{durationText(p50_ms)}</td>
      <td {...TABLE_ROLES.cell}>{durationText(p95_ms)}</td>
      <td {...TABLE_ROLES.cell}>
        {errors === 0 ? (
          '0'
        ) : (
          <span className={classes.failed}>
            {countText(errors)} ({shareText(errors, count)})
          </span>
        )}
      </td>
    </tr>
  );
}

export type EndpointTableProps = {
  endpoints: readonly EndpointLine[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
};

/**
 * Table of endpoints with their number of requests, latency and failures. Clicking a column heading
 * sorts by the column.
 */
export function EndpointTable({ endpoints, sorting, onSort }: EndpointTableProps) {
  const [all, setAll] = useState(false);
  const sorted = sortedEndpoints(endpoints, sorting);
  return (
    <Card title="Endpoints">
      <div className={classes.scroll}>
        <table
          {...TABLE_ROLES.table}
          className={`${classes.table} ${classes.endpoints}`}
          aria-label="Endpoints"
        >
          <thead {...TABLE_ROLES.group}>
            <tr {...TABLE_ROLES.row} className={classes.row}>
              {(Object.keys(COLUMNS) as SortName[]).map((name) => (
                <Head
                  key={name}
                  name={name}
                  sorting={sorting}
                  onSort={() => onSort({ sort: name, reversed: sorting.sort === name && !sorting.reversed })}
                />
              ))}
            </tr>
          </thead>
          <tbody {...TABLE_ROLES.group}>
            {(all ? sorted : sorted.slice(0, INITIAL_ROWS)).map((line) => (
              <Row key={`${line.method} ${line.endpoint}`} {...line} />
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > INITIAL_ROWS ? (
        <button type="button" className={classes.more} onClick={() => setAll(!all)}>
          {all ? 'Show fewer endpoints' : `Show all ${countText(sorted.length)} endpoints`}
        </button>
      ) : null}
    </Card>
  );
}
