import { type Icon, IconCircleCheck, IconCircleDashed, IconEyeOff, IconUser } from '@tabler/icons-react';
import { CLUSTER_STATUSES, type Cluster, type ClusterStatus } from '@winnow/contract/cluster';
import { Badge } from '../../../theme/parts/badge.tsx';
import type { Tone } from '../../../theme/tones.ts';

const BADGE_LOOKS: Record<ClusterStatus, { tone: Tone; icon: Icon }> = {
  to_decide: { tone: 'neutral', icon: IconCircleDashed },
  decided: { tone: 'success', icon: IconCircleCheck },
  dismissed: { tone: 'neutral', icon: IconEyeOff },
  settled: { tone: 'neutral', icon: IconCircleCheck },
};

/** Badge with the status of a cluster, or with the user who has it open in a review. */
export function ClusterBadge({ cluster }: { cluster: Pick<Cluster, 'status' | 'claim' | 'decided_by'> }) {
  const { status, claim, decided_by: decidedBy } = cluster;
  if (claim !== null && status === 'to_decide') {
    return (
      <span title={`${claim.by} has this cluster open in a review`}>
        <Badge tone="info" icon={IconUser}>
          In review
        </Badge>
      </span>
    );
  }
  const { label, description } = CLUSTER_STATUSES[status];
  return (
    <span title={decidedBy === null ? description : `${description} By ${decidedBy}.`}>
      <Badge {...BADGE_LOOKS[status]} dashed={status === 'to_decide' || status === 'settled'}>
        {label}
      </Badge>
    </span>
  );
}
