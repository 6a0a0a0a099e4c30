import { Button } from '@mantine/core';
import { IconRadar2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { ListRow } from '../../../ui/data-list/list-row.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import badges from '../badges/badges.module.css';
import { DependencyBadge } from '../badges/dependency-badge.tsx';
import type { DependencyActions } from '../badges/dependency-details.tsx';
import { dependenciesOf, dependencyKey, type ListedIssue } from '../dependency-state.ts';
import type { Scan } from '../use-scan.ts';
import classes from './issue-table.module.css';
import { issueRowId } from './row-id.ts';

/** Badges that a row shows; the panel has them all. */
const MOST_BADGES = 4;

export type RowProps = {
  scan: Scan;
  actions: DependencyActions;
  onOpen: (issueId: string) => void;
  onFocus: (issueId: string) => void;
};

export type IssueRowProps = RowProps & {
  issue: ListedIssue;
  /** Open in the panel. */
  selected: boolean;
  /** Where the keyboard is: the one row that Tab reaches. */
  current: boolean;
  /** Whether opening it leaves no entry for Back, because another issue is open. */
  replace: boolean;
};

function Badges({ issue, scan, actions }: Pick<IssueRowProps, 'issue' | 'scan' | 'actions'>) {
  const sided = dependenciesOf(issue.id, scan.dependencies);
  const rest = sided.length - MOST_BADGES;
  if (sided.length === 0) return null;
  return (
    <span className={classes.badges}>
      {sided.slice(0, MOST_BADGES).map((one) => (
        <DependencyBadge key={`${dependencyKey(one.dependency)}`} sided={one} actions={actions} />
      ))}
      {rest > 0 ? (
        <Link className={badges.more} to={actions.hrefOf(issue.id)} preventScrollReset>
          {rest} more
        </Link>
      ) : null}
    </span>
  );
}

/** An issue: what it is, what it waits for and what waits for it, where it stands, and looking further from it. */
export function IssueRow({ issue, scan, actions, selected, current, replace, ...handlers }: IssueRowProps) {
  const isExpanding = scan.expanding === issue.id;
  return (
    <ListRow
      id={issueRowId(issue.id)}
      className={classes.row}
      current={current}
      selected={selected}
      onOpen={() => handlers.onOpen(issue.id)}
      onFocus={() => handlers.onFocus(issue.id)}
    >
      <td {...TABLE_ROLES.cell}>
        <RowKey>{issue.key}</RowKey>
        <TrackerMark projectId={issue.project_id} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.name}>
        {/* Enter on the row does the same, so the title needs no stop of its own. */}
        <Link
          className={`${classes.title} trunc`}
          to={actions.hrefOf(issue.id)}
          replace={replace}
          title={issue.title}
          dir="auto"
          tabIndex={-1}
          preventScrollReset
        >
          {issue.title}
        </Link>
        <Badges issue={issue} scan={scan} actions={actions} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.status}>
        <StatusIcon status={issue.status} />
        <span className="trunc" title={issue.status} aria-hidden="true">
          {issue.status}
        </span>
      </td>
      <td {...TABLE_ROLES.cell} className={classes.actions}>
        <Button
          size="xs"
          leftSection={<IconRadar2 size={14} stroke={1.75} aria-hidden />}
          aria-label={`Expand Scan from ${issue.key}`}
          loading={isExpanding}
          disabled={!isExpanding && (scan.expanding !== null || scan.full || scan.pending)}
          title={scan.full ? 'As many issues as can be scanned at once are scanned.' : undefined}
          onClick={() => scan.expand(issue.id)}
        >
          Expand Scan
        </Button>
      </td>
    </ListRow>
  );
}
