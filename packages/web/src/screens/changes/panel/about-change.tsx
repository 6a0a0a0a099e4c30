import { type Change, isExternalCall } from '@winnow/contract/change';
import { Link } from 'react-router';
import classes from '../../../features/changes/change-panel.module.css';
import { changeAddress, changesOfIssue } from '../../../features/changes/change-search.ts';
import { decisionText, KIND_LABELS, requesterText, titleOf } from '../../../features/changes/change-texts.ts';
import { StatusBadge } from '../../../features/changes/status-badge.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { TrackerMark, useNamesakeLookup } from '../../../features/issues/tracker-mark.tsx';
import { pairsOfIssue } from '../../../features/pairs/pairs-of-issue.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';

/**
 * Sentences about a change: who requested and decided it, when it was written, and which changes
 * relate to it.
 */
function History({ change }: { change: Change }) {
  const decision = decisionText(change);
  return (
    <dl className={classes.history}>
      <div>
        <dt>Requested by</dt>
        <dd>
          {requesterText(change)}, <RelativeTime at={change.created_at} />
        </dd>
      </div>
      {decision === null ? null : (
        <div>
          <dt>Decided</dt>
          <dd>
            {decision}
            {change.decided_at === null ? null : (
              <>
                , <RelativeTime at={change.decided_at} />
              </>
            )}
          </dd>
        </div>
      )}
      {change.retried_by === null ? null : (
        <div>
          <dt>Retried</dt>
          <dd>by {change.retried_by}</dd>
        </div>
      )}
      {change.applied_at === null ? null : (
        <div>
          <dt>{change.steps.some(isExternalCall) ? 'Called' : 'Written'}</dt>
          <dd>
            <RelativeTime at={change.applied_at} />
          </dd>
        </div>
      )}
      {change.undoes === null ? null : (
        <div>
          <dt>Undoes</dt>
          <dd>
            <Link className="link" to={changeAddress(change.undoes)}>
              An earlier change
            </Link>
          </dd>
        </div>
      )}
      {change.undone_by === null ? null : (
        <div>
          <dt>Undone by</dt>
          <dd>
            <Link className="link" to={changeAddress(change.undone_by)}>
              A later change
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Issues of a change. Each links to its similar issues and to its changes. */
function Issues({ issues }: { issues: Change['issues'] }) {
  const placeOf = useNamesakeLookup();
  return (
    <section className={classes.section} aria-label="Issues">
      <h3 className={classes.heading}>{issues.length === 1 ? 'Issue' : 'Issues'}</h3>
      <ul className={classes.issues}>
        {issues.map(({ id, key, project_id: projectId }) => (
          <li key={id}>
            <IssueKey withOwner longestProject={32}>
              {key}
            </IssueKey>
            <TrackerMark projectId={projectId} />
            <Link className="link" to={pairsOfIssue(key)}>
              Similar issues<span className="vh"> of {key}</span>
            </Link>
            <Link className="link" to={changesOfIssue(placeOf(projectId) === null ? key : id)}>
              History<span className="vh"> of {key}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Summary of a change: status, title, reason, issues and history. */
export function AboutChange({ change }: { change: Change }) {
  const { rationale, confidence } = change;
  return (
    <>
      <section className={classes.section} aria-label="Change">
        <div className={classes.badges}>
          <StatusBadge status={change.status} />
          <span className={classes.kind}>{KIND_LABELS[change.kind]}</span>
        </div>
        <h3 className={classes.title} dir="auto">
          {titleOf(change)}
        </h3>
        <History change={change} />
      </section>
      {rationale === null && confidence === null ? null : (
        <section className={classes.section} aria-label="Why">
          <h3 className={classes.heading}>Why</h3>
          {rationale === null ? null : (
            <p className={classes.rationale} dir="auto">
              {rationale}
            </p>
          )}
          {confidence === null ? null : (
            <p className={classes.confidence}>
              <span>
                <b>{`${Math.round(confidence * 100)}%`}</b> confidence
              </span>
              <span className={classes.meter}>
                <Meter value={confidence} thin />
              </span>
            </p>
          )}
        </section>
      )}
      {change.issues.length === 0 ? null : <Issues issues={change.issues} />}
    </>
  );
}
