import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ClusterDetail } from '@winnow/contract/cluster';
import type { ReactNode } from 'react';
import { probabilityText } from '../../../features/pairs/pair-texts.ts';
import { TrackerIcon } from '../../../features/trackers/tracker-icon.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { ClusterBadge } from '../list/cluster-badge.tsx';
import type { Act } from '../use-cluster-actions.tsx';
import type { MemberWalk } from '../use-member-walk.ts';
import { Canonical } from './canonical.tsx';
import classes from './details.module.css';
import { ClusterGraph } from './graph/cluster-graph.tsx';
import { History } from './history.tsx';
import { Links } from './links.tsx';
import { Members } from './members.tsx';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Summary({ cluster, onAct }: { cluster: ClusterDetail; onAct: Act }) {
  const { name, claim, size, open_issues: open, probability, weakest_probability: weakest } = cluster;
  return (
    <section className={classes.section} aria-label="Cluster">
      <div className={classes.nameLine}>
        <h3 className={classes.clusterName} dir="auto">
          {name}
        </h3>
        <Tooltip label="Rename">
          <ActionIcon
            size={24}
            aria-label="Rename the cluster"
            onClick={() => onAct(cluster, { kind: 'rename' })}
          >
            <IconPencil size={14} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <ClusterBadge cluster={cluster} />
      </div>
      {claim === null ? null : (
        <p className={classes.quiet}>{`${claim.by} has this cluster open in a review.`}</p>
      )}
      <dl className={classes.factList}>
        <Fact name="Probability">{probabilityText(probability)}</Fact>
        <Fact name="Cohesion">{weakest === null ? 'Fixed' : probabilityText(weakest)}</Fact>
        <Fact name="Issues">{`${countText(size)}, ${countText(open)} open`}</Fact>
        <Fact name="Comments and reactions">{countText(cluster.engagement)}</Fact>
        <Fact name="Oldest issue">
          <RelativeTime at={cluster.first_created_at} />
        </Fact>
        <Fact name="Newest issue">
          <RelativeTime at={cluster.last_created_at} />
        </Fact>
      </dl>
      <ul className={classes.places}>
        {cluster.trackers.map((tracker) => (
          <li key={tracker.id}>
            <TrackerIcon type={tracker.type} size={12} />
            <span dir="auto">
              {`${tracker.name}: ${cluster.projects
                .filter(({ tracker_id }) => tracker_id === tracker.id)
                .map((project) => project.name)
                .join(', ')}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export type ClusterDetailsProps = { cluster: ClusterDetail; walk: MemberWalk; onAct: Act };

/**
 * Details of a cluster: its numbers, its canonical issue, all its issues, and the links between
 * them.
 */
export function ClusterDetails({ cluster, walk, onAct }: ClusterDetailsProps) {
  return (
    <div className={classes.details}>
      <div className={classes.column}>
        <Summary cluster={cluster} onAct={onAct} />
        <Canonical cluster={cluster} onAct={onAct} />
        <Members cluster={cluster} walk={walk} onAct={onAct} key={cluster.id} />
      </div>
      <div className={classes.column}>
        <ClusterGraph cluster={cluster} currentId={walk.currentId} onAct={onAct} />
        <Links cluster={cluster} key={cluster.id} />
        <History cluster={cluster} />
      </div>
    </div>
  );
}
