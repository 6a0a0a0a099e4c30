import type { Change } from '@winnow/contract/change';
import { Link } from 'react-router';
import { askerText, decisionText, KIND_LABELS, titleOf } from '../../../features/changes/change-texts.ts';
import { StatusBadge } from '../../../features/changes/status-badge.tsx';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { pairsOfIssue } from '../../../features/pairs/pairs-of-issue.ts';
import { ListRow } from '../../../ui/data-list/list-row.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import classes from './change-table.module.css';
import { changeRowId } from './row-id.ts';

export type ChangeRowProps = {
  change: Change;
  /** The address that has the change open. */
  to: string;
  /** Open in the panel. */
  selected: boolean;
  /** Where the keyboard is: the one row that Tab reaches. */
  current: boolean;
  /** Whether opening it leaves no entry for Back, because another change is open. */
  replace: boolean;
  onOpen: (changeId: string) => void;
  onFocus: (changeId: string) => void;
};

/** A change: what it does to which issues, who asked and decided, where it stands, since when. */
export function ChangeRow({ change, to, selected, current, replace, onOpen, onFocus }: ChangeRowProps) {
  const decision = decisionText(change);
  return (
    <ListRow
      id={changeRowId(change.id)}
      className={classes.row}
      current={current}
      selected={selected}
      onOpen={() => onOpen(change.id)}
      onFocus={() => onFocus(change.id)}
    >
      <td {...TABLE_ROLES.cell} className={classes.change}>
        <Link
          className={`${classes.title} trunc`}
          to={to}
          replace={replace}
          title={titleOf(change)}
          dir="auto"
          tabIndex={-1}
          preventScrollReset
        >
          {titleOf(change)}
        </Link>
        <span className={classes.keys}>
          {change.issues.map(({ id, key, project_id: projectId }) => (
            <Link className={classes.key} to={pairsOfIssue(key)} key={id}>
              <RowKey>{key}</RowKey>
              <TrackerMark projectId={projectId} />
            </Link>
          ))}
        </span>
      </td>
      <td {...TABLE_ROLES.cell} className={classes.kind}>
        {KIND_LABELS[change.kind]}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.people}>
        <span className="trunc" title={askerText(change)}>
          {askerText(change)}
        </span>
        {decision === null ? null : (
          <span className={`${classes.decision} trunc`} title={decision}>
            {decision}
          </span>
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.status}>
        <StatusBadge status={change.status} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.time}>
        <RelativeTime at={change.created_at} />
      </td>
    </ListRow>
  );
}
