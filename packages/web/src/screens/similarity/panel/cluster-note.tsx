import { IconStack2 } from '@tabler/icons-react';
import type { Cluster } from '@winnow/contract/cluster';
import type { PairDetail } from '@winnow/contract/duplicate';
import { Link } from 'react-router';
import { clusterAddress, issuesText } from '../../../features/clusters/cluster-texts.ts';
import { useClusterOfIssue } from '../../../features/clusters/queries.ts';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import classes from './panel.module.css';

function Line({ subject, cluster }: { subject: string; cluster: Cluster }) {
  return (
    <p className={classes.clusterLine}>
      <IconStack2 size={14} stroke={1.75} aria-hidden />
      <span>
        {`${subject} in the cluster `}
        <Link className="link" to={clusterAddress(cluster.id)} dir="auto">
          {cluster.name}
        </Link>
        {` of ${issuesText(cluster.size)}.`}
      </span>
    </p>
  );
}

/**
 * Links to the clusters that contain the issues of a pair. Renders nothing if no cluster contains
 * them.
 */
export function ClusterNote({ pair: { issue1, issue2 } }: { pair: PairDetail }) {
  const { data: first } = useClusterOfIssue(issue1.id);
  const { data: second } = useClusterOfIssue(issue2.id);
  if (!first && !second) return null;
  const isShared = first && first.id === second?.id;
  return (
    <section className={classes.section} aria-label="Cluster">
      {first ? (
        <Line subject={isShared ? 'Both are' : `${keyBeside(issue1, issue2)} is`} cluster={first} />
      ) : null}
      {second && !isShared ? <Line subject={`${keyBeside(issue2, issue1)} is`} cluster={second} /> : null}
    </section>
  );
}
