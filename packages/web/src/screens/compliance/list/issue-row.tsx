import type { Issue } from '@winnow/contract/issue';
import type { Highlight } from '@winnow/contract/search';
import { Link } from 'react-router';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { ListRow } from '../../../ui/data-list/list-row.tsx';
import { TABLE_ROLES } from '../../../ui/data-list/table-roles.ts';
import { ImproveButton } from '../improve-button.tsx';
import { improveRefusal, type ShownScore } from '../shown-score.ts';
import { FoundLine, FoundTitle } from './found.tsx';
import classes from './issue-table.module.css';
import { issueRowId } from './row-id.ts';
import { RowMenu } from './row-menu.tsx';
import { ScoreCell } from './score-cell.tsx';

/** What can be done with a row. */
export type RowActions = {
  /** It was clicked. */
  onOpen: (issue: Issue) => void;
  /** Enter was pressed on it. */
  onEnter: (issue: Issue) => void;
  onFocus: (issueId: string) => void;
  onImprove: (issue: Issue) => void;
  /** The address that has the issue open. */
  hrefOf: (issueId: string) => string;
};

export type IssueRowProps = RowActions & {
  issue: Issue;
  /** Where it has what was searched for. */
  highlights: readonly Highlight[];
  score: ShownScore;
  /** Open in the panel. */
  selected: boolean;
  /** Where the keyboard is: the one row that Tab reaches. */
  current: boolean;
  /** Whether opening it leaves no entry for Back, because another issue is open. */
  replace: boolean;
};

/** An issue: what it is, where it stands, how it scores, what can be done. */
export function IssueRow({
  issue,
  highlights,
  score,
  selected,
  current,
  replace,
  ...actions
}: IssueRowProps) {
  const refusal = improveRefusal(score);
  const improve = () => actions.onImprove(issue);
  const project = issue.project.name === '' ? 'N/A' : issue.project.name;
  return (
    <ListRow
      id={issueRowId(issue.id)}
      className={classes.row}
      current={current}
      selected={selected}
      onOpen={() => actions.onOpen(issue)}
      onEnter={() => actions.onEnter(issue)}
      onFocus={() => actions.onFocus(issue.id)}
    >
      <td {...TABLE_ROLES.cell} className={classes.key}>
        <RowKey>{issue.key}</RowKey>
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
          <FoundTitle issue={issue} highlights={highlights} />
        </Link>
        <FoundLine issue={issue} highlights={highlights} />
      </td>
      <td {...TABLE_ROLES.cell} className={`${classes.project} trunc`} title={project}>
        {project} <TrackerMark projectId={issue.project_id} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.status}>
        <StatusIcon status={issue.status} />
        <span className="trunc" title={issue.status} aria-hidden="true">
          {issue.status}
        </span>
      </td>
      <td {...TABLE_ROLES.cell} className={classes.score}>
        <ScoreCell score={score} />
      </td>
      <td {...TABLE_ROLES.cell} className={classes.actions}>
        <ImproveButton size="xs" refusal={refusal} onClick={improve}>
          Improve
        </ImproveButton>
        <RowMenu issue={issue} refusal={refusal} onImprove={improve} />
      </td>
    </ListRow>
  );
}
