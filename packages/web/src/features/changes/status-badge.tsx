import {
  type Icon,
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleHalf2,
  IconHourglass,
  IconRefresh,
} from '@tabler/icons-react';
import { CHANGE_STATUSES, type ChangeStatus } from '@winnow/contract/change';
import { Badge } from '../../theme/parts/badge.tsx';

const ICONS: Record<ChangeStatus, Icon> = {
  proposed: IconHourglass,
  applying: IconRefresh,
  applied: IconCircleCheck,
  partly_applied: IconCircleHalf2,
  failed: IconAlertTriangle,
  rejected: IconBan,
  undone: IconArrowBackUp,
};

export function StatusBadge({ status }: { status: ChangeStatus }) {
  const { label, tone } = CHANGE_STATUSES[status];
  return (
    <Badge tone={tone} icon={ICONS[status]} dashed={status === 'proposed'}>
      {label}
    </Badge>
  );
}
