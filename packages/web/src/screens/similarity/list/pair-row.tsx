import { ActionIcon, Checkbox, Tooltip } from '@mantine/core';
import { type Icon, IconEye, IconEyeOff, IconGitMerge } from '@tabler/icons-react';
import type { Change } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';
import type { IssueSummary } from '@winnow/contract/issue';
import { Link } from 'react-router';
import { changeAddress } from '../../../features/changes/change-search.ts';
import { titleOf } from '../../../features/changes/change-texts.ts';
import { StatusBadge } from '../../../features/changes/status-badge.tsx';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { similarityText } from '../../../features/pairs/pair-texts.ts';
import type { ShownVerdict } from '../../../features/verdicts/queries.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import { ListRow } from '../../../ui/data-list/list-row.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { isSelectable } from '../bulk/selection.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { PairBadge } from './pair-badge.tsx';
import classes from './pair-table.module.css';

/** What can be done with a row. */
export type RowActions = {
  /** It was clicked. */
  onOpen: (pair: Pair) => void;
  /** Enter was pressed on it. */
  onEnter: (pair: Pair) => void;
  onFocus: (pair: Pair) => void;
  onResolve: (pair: Pair) => void;
  onDismiss: (pair: Pair) => void;
  onRestore: (pair: Pair) => void;
  /** The address that has the pair open. */
  hrefOf: (pair: Pair) => string;
};

export type PairRowProps = RowActions & {
  pair: Pair;
  verdict: ShownVerdict;
  /** What waits for approval. */
  proposal: Change | undefined;
  /** Open in the panel. */
  selected: boolean;
  /** Where the keyboard is: the one row that Tab reaches. */
  current: boolean;
  /** Whether opening it leaves no entry for Back, because another pair is open. */
  replace: boolean;
  selection: Selection;
};

/** The id of a row's element, by which the keyboard finds it. */
export function rowId(pairId: string): string {
  return `pair-${pairId}`;
}

function RowAction({ label, icon: Glyph, onClick }: { label: string; icon: Icon; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        onClick={(event) => {
          // The second half of a double click was meant for what stood here before the panel opened.
          if (event.detail <= 1) onClick();
        }}
      >
        <Glyph size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function IssueCell({ issue, to, replace }: { issue: IssueSummary; to: string; replace: boolean }) {
  return (
    <>
      <StatusIcon status={issue.status} />
      <RowKey>{issue.key}</RowKey>
      <span className={classes.named}>
        <TrackerMark projectId={issue.project_id} />
        {/* Enter on the row does the same, so the title needs no stop of its own. */}
        <Link
          className={`${classes.title} trunc`}
          to={to}
          replace={replace}
          title={issue.title}
          dir="auto"
          tabIndex={-1}
          preventScrollReset
        >
          {issue.title}
        </Link>
      </span>
    </>
  );
}

function SelectBox({ pair, selection }: Pick<PairRowProps, 'pair' | 'selection'>) {
  if (!isSelectable(pair)) return null;
  return (
    <Checkbox
      aria-label={`Select ${keyBeside(pair.issue1, pair.issue2)} and ${keyBeside(pair.issue2, pair.issue1)}`}
      checked={selection.has(pair.id)}
      // Selecting a range of pairs selects no text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onChange={({ nativeEvent }) =>
        selection.toggle(pair, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

/** A pair: two issues, how similar they are, what was decided or judged, what can be done. */
export function PairRow(props: PairRowProps) {
  const { pair, verdict, proposal, selected, current, replace, selection, ...actions } = props;
  const rowClasses = [classes.row, pair.resolution === null ? '' : classes.resolved];
  const to = actions.hrefOf(pair);
  return (
    <ListRow
      id={rowId(pair.id)}
      className={rowClasses.join(' ')}
      current={current}
      selected={selected}
      onOpen={() => actions.onOpen(pair)}
      onEnter={() => actions.onEnter(pair)}
      onFocus={() => actions.onFocus(pair)}
    >
      <td {...TABLE_ROLES.cell} className={classes.select}>
        <SelectBox pair={pair} selection={selection} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.first}>
        <IssueCell issue={pair.issue1} to={to} replace={replace} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.second}>
        <IssueCell issue={pair.issue2} to={to} replace={replace} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.similarity}>
        <span className={classes.number}>{similarityText(pair.similarity)}</span>
        <Meter value={pair.similarity} thin />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.review}>
        {proposal === undefined || pair.resolution !== null ? (
          <PairBadge pair={pair} verdict={verdict} />
        ) : (
          <Link to={changeAddress(proposal.id)} title={titleOf(proposal)} tabIndex={-1}>
            <StatusBadge status="proposed" />
          </Link>
        )}
      </td>
      <td {...TABLE_ROLES.cell} className={classes.actions}>
        {pair.resolution === null && !pair.dismissed ? (
          <>
            <RowAction label="Resolve" icon={IconGitMerge} onClick={() => actions.onResolve(pair)} />
            <RowAction label="Dismiss" icon={IconEyeOff} onClick={() => actions.onDismiss(pair)} />
          </>
        ) : null}
        {pair.dismissed ? (
          <RowAction label="Bring back" icon={IconEye} onClick={() => actions.onRestore(pair)} />
        ) : null}
      </td>
    </ListRow>
  );
}
