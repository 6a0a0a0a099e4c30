import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconHourglass,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { EXECUTION_STATUSES, type ExecutionStatus } from '@winnow/contract/flow';
import { Badge } from '../../theme/parts/badge.tsx';
import type { Tone } from '../../theme/tones.ts';

const ICONS: Record<ExecutionStatus, Icon> = {
  PENDING: IconHourglass,
  RUNNING: IconPlayerPlay,
  SUCCEEDED: IconCircleCheck,
  FAILED: IconAlertTriangle,
  STOPPED: IconPlayerStop,
};
const TONES: Record<(typeof EXECUTION_STATUSES)[ExecutionStatus]['tone'], Tone> = {
  primary: 'accent',
  success: 'success',
  danger: 'danger',
  neutral: 'neutral',
};

/** Badge that shows the status of an execution. */
export function ExecutionStatusBadge({
  status,
  small = false,
}: {
  status: ExecutionStatus;
  small?: boolean;
}) {
  const { label, tone } = EXECUTION_STATUSES[status];
  return (
    <Badge tone={TONES[tone]} icon={ICONS[status]} small={small}>
      {label}
    </Badge>
  );
}
