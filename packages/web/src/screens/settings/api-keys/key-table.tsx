import { ActionIcon, Tooltip } from '@mantine/core';
import { IconClockOff, IconTrash } from '@tabler/icons-react';
import { type ApiKey, SCOPES } from '@winnow/contract/api-key';
import type { ReactNode } from 'react';
import { Badge } from '../../../theme/parts/badge.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { countText } from '../../../ui/texts/count-text.ts';
import { dateText } from '../../../ui/texts/date-text.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { absoluteTimeText } from '../../../ui/texts/relative-time-text.ts';
import table from '../settings-list.module.css';
import classes from './api-keys.module.css';

export type KeyTableProps = { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void };

/**
 * Cell that shows the name of its column on narrow screens, because the table then has no header
 * row.
 */
function Labeled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <span className={classes.label} aria-hidden>
        {label}{' '}
      </span>
      {children}
    </>
  );
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return 'Never';
  const instant = new Date(at);
  const date = (
    <Tooltip label={absoluteTimeText(instant.getTime())}>
      <time dateTime={at}>{dateText(instant)}</time>
    </Tooltip>
  );
  if (instant.getTime() > Date.now()) return date;
  return (
    <span className={classes.expired}>
      <Badge tone="danger" icon={IconClockOff} small>
        Expired
      </Badge>
      {date}
    </span>
  );
}

function Row({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, prefix, scopes, created_at, last_used_at, expires_at, requests } = apiKey;
  return (
    <tr {...TABLE_ROLES.row} className={table.row}>
      <th {...TABLE_ROLES.rowHead} className={table.name}>
        {name}
        <code className={classes.prefix}>{prefix}…</code>
      </th>
      <td {...TABLE_ROLES.cell} className={classes.scopes}>
        {scopes.map((scope) => (
          <Badge key={scope} small>
            {SCOPES[scope].label}
          </Badge>
        ))}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.created}>
        <Labeled label="Created">
          <RelativeTime at={created_at} />
        </Labeled>
      </td>
      <td {...TABLE_ROLES.cell} className={classes.used}>
        <Labeled label="Last used">
          {last_used_at === null ? 'Never' : <RelativeTime at={last_used_at} />}
        </Labeled>
        {requests === 0 ? null : (
          <span className={classes.requests}>
            {countText(requests)} {requests === 1 ? 'request' : 'requests'}
          </span>
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.expires}>
        <Labeled label="Expires">
          <Expiry at={expires_at} />
        </Labeled>
      </td>
      <td {...TABLE_ROLES.cell} className={table.actions}>
        <Tooltip label="Revoke">
          <ActionIcon aria-label={`Revoke ${name}`} onClick={onRevoke}>
            <IconTrash size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </td>
    </tr>
  );
}

/** Table of the account's API keys, with their last use and expiry. */
export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return (
    <table {...TABLE_ROLES.table} className={`${table.table} ${classes.columns}`} aria-label="API keys">
      <thead {...TABLE_ROLES.group} className={table.head}>
        <tr {...TABLE_ROLES.row} className={table.headRow}>
          <th {...TABLE_ROLES.head}>Name</th>
          <th {...TABLE_ROLES.head}>Scopes</th>
          <th {...TABLE_ROLES.head}>Created</th>
          <th {...TABLE_ROLES.head}>Last used</th>
          <th {...TABLE_ROLES.head}>Expires</th>
          <th {...TABLE_ROLES.head}>
            <span className="vh">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody {...TABLE_ROLES.group} className={table.body}>
        {keys.map((key) => (
          <Row key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
        ))}
      </tbody>
    </table>
  );
}
