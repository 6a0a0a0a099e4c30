import {
  IconArrowBackUp,
  IconArrowsJoin2,
  IconArrowsSplit,
  IconArrowsSplit2,
  IconCircleCheck,
  IconEqual,
  IconUserCheck,
} from '@tabler/icons-react';
import {
  isIdentical,
  PAIR_JUDGMENTS,
  type Pair,
  RESOLUTIONS,
  type Resolution,
} from '@winnow/contract/duplicate';
import type { ShownVerdict } from '../../../features/verdicts/queries.ts';
import { VerdictBadge } from '../../../features/verdicts/verdict-badge.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';

const BADGE_LOOKS = {
  closed: { tone: 'success', icon: IconCircleCheck },
  merged: { tone: 'success', icon: IconArrowsJoin2 },
  deconflicted: { tone: 'success', icon: IconArrowsSplit },
  unrelated: { tone: 'neutral', icon: IconArrowsSplit2 },
} as const satisfies Record<Resolution, object>;

type PairBadgeProps = {
  pair: Pick<Pair, 'resolution' | 'similarity' | 'undone' | 'judgment'>;
  /** Verdict to display if the pair has no resolution and no judgment. */
  verdict?: ShownVerdict;
};

/**
 * Badge of a pair. Shows the first that exists: its resolution, an undone decision, a judgment,
 * identical texts, or the verdict.
 */
export function PairBadge({ pair, verdict }: PairBadgeProps) {
  if (pair.resolution !== null) {
    return <Badge {...BADGE_LOOKS[pair.resolution]}>{RESOLUTIONS[pair.resolution].label}</Badge>;
  }
  if (pair.undone) {
    return (
      <Badge icon={IconArrowBackUp} dashed>
        Undone
      </Badge>
    );
  }
  if (pair.judgment !== null) {
    const { label, description } = PAIR_JUDGMENTS[pair.judgment];
    return (
      <span title={`Your judgment: ${description}`}>
        <Badge icon={IconUserCheck}>{label}</Badge>
      </span>
    );
  }
  if (!isIdentical(pair.similarity)) {
    return verdict === undefined ? null : <VerdictBadge verdict={verdict} namesModel />;
  }
  return (
    <Badge tone="warning" icon={IconEqual}>
      Identical
    </Badge>
  );
}
