import type { ActionTaken, FlowExecution } from '@winnow/contract/flow';
import { Link } from 'react-router';
import { changeAddress } from '../../../../features/changes/change-search.ts';
import { titleOf } from '../../../../features/changes/change-texts.ts';
import { StatusBadge } from '../../../../features/changes/status-badge.tsx';
import { useChange } from '../../../../features/decisions/queries.ts';
import { IssueKey } from '../../../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../../../features/issues/tracker-mark.tsx';
import { Card } from '../../../../ui/card.tsx';
import classes from './detail.module.css';

/**
 * Lists the actions of an execution, with links to their changes. For a dry run, lists the actions
 * that it would have taken.
 */
export function ActionsTaken({ execution }: { execution: FlowExecution }) {
  const { actions_taken_summary: actions, dry_run } = execution;
  if (actions.length === 0) return null;
  return (
    <Card title={dry_run ? 'What the flow would have done' : 'Actions taken'}>
      <ol className={classes.actions} aria-label="Actions of this execution">
        {actions.map(({ action, target_key, summary, change_id }, index) => (
          <li className={classes.action} key={index}>
            <span className={classes.actionHead}>
              <code>{action}</code>
              {target_key === null ? null : (
                <IssueKey withOwner longestProject={32}>
                  {target_key}
                </IssueKey>
              )}
            </span>
            {change_id === null ? (
              <span dir="auto">{summary}</span>
            ) : (
              <Outcome changeId={change_id} summary={summary} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/**
 * Summary of a change in its current state. If the change cannot be loaded, shows the summary from
 * the execution.
 */
function Outcome({ changeId, summary }: { changeId: string } & Pick<ActionTaken, 'summary'>) {
  const { data: change, error } = useChange(changeId);
  const text = change === undefined ? (error === null ? '' : summary) : titleOf(change);
  return (
    <>
      <span className={classes.changeHead}>
        {change === undefined ? null : <StatusBadge status={change.status} />}
        {change?.issues.map(({ id, project_id: projectId }) => (
          <TrackerMark projectId={projectId} key={id} />
        ))}
        <span dir="auto">{text}</span>
      </span>
      <Link className="link" to={changeAddress(changeId)}>
        Open the change<span className="vh"> “{text}”</span>
      </Link>
    </>
  );
}
