import { Button } from '@mantine/core';
import type { ClusterDetail } from '@winnow/contract/cluster';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { TrackerLink } from '../../../features/issues/tracker-link.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import type { Act } from '../use-cluster-actions.tsx';
import classes from './details.module.css';

/** The canonical issue of a cluster, with the reasons for selecting it. */
export function Canonical({ cluster, onAct }: { cluster: ClusterDetail; onAct: Act }) {
  const { canonical } = cluster;
  return (
    <section className={classes.section} aria-labelledby="canonical-issue">
      <div className={classes.sectionHead}>
        <h3 className={classes.heading} id="canonical-issue">
          Canonical issue
        </h3>
        {canonical === null ? null : <Badge small>{canonical.chosen ? 'Chosen' : 'Proposed'}</Badge>}
        {canonical?.chosen === true ? (
          <Button
            size="xs"
            variant="subtle"
            onClick={() => onAct(cluster, { kind: 'canonical', issue: null })}
          >
            Use the proposal
          </Button>
        ) : null}
      </div>
      {canonical === null ? (
        <p className={classes.quiet}>
          No issue qualifies as canonical. To choose one anyway, select it and press c.
        </p>
      ) : (
        <>
          <p className={classes.keyLine}>
            <StatusIcon status={canonical.issue.status} />
            <IssueKey withOwner>{canonical.issue.key}</IssueKey>
            <TrackerMark projectId={canonical.issue.project_id} />
            <TrackerLink issue={canonical.issue} />
          </p>
          <p className={classes.issueTitle} dir="auto">
            {canonical.issue.title}
          </p>
          <ul className={classes.reasons}>
            {canonical.reasons.map((reason) => (
              <li key={reason} dir="auto">
                {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
