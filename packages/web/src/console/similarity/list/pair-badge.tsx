import {
  IconArrowBackUp,
  IconArrowsJoin2,
  IconArrowsSplit,
  IconArrowsSplit2,
  IconCircleCheck,
  IconEqual,
} from '@tabler/icons-react';
import { isIdentical, type Pair, RESOLUTIONS, type Resolution } from '@winnow/contract/duplicate';
import { Badge } from '../../../ui/badge.tsx';

const LOOKS = {
  closed: { tone: 'success', icon: IconCircleCheck },
  merged: { tone: 'success', icon: IconArrowsJoin2 },
  deconflicted: { tone: 'success', icon: IconArrowsSplit },
  unrelated: { tone: 'neutral', icon: IconArrowsSplit2 },
} as const satisfies Record<Resolution, object>;

/**
 * How a pair was resolved; before that, that a decision about it was taken back, or that its texts are identical.
 * Nothing for other pairs.
 */
export function PairBadge({ pair }: { pair: Pick<Pair, 'resolution' | 'similarity' | 'undone'> }) {
  if (pair.resolution !== null) {
    return <Badge {...LOOKS[pair.resolution]}>{RESOLUTIONS[pair.resolution].label}</Badge>;
  }
  if (pair.undone) {
    return (
      <Badge icon={IconArrowBackUp} dashed>
        Undone
      </Badge>
    );
  }
  if (!isIdentical(pair.similarity)) return null;
  return (
    <Badge tone="warning" icon={IconEqual}>
      Identical
    </Badge>
  );
}
