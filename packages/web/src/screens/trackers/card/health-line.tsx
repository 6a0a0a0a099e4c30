import { Button } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
} from '@tabler/icons-react';
import type { Tracker } from '@winnow/contract/tracker';
import { type HealthWords, healthWords } from '../../../features/trackers/sync-texts.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { ClampedText } from './clamped-text.tsx';
import classes from './tracker-card.module.css';

const ICONS: Record<HealthWords['tone'], Icon> = {
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  danger: IconCircleX,
  neutral: IconCircleDashed,
};

/** Health of the connection to a tracker: a badge and an explanation. */
export function HealthLine({ tracker, onEnterToken }: { tracker: Tracker; onEnterToken: () => void }) {
  const { tone, label, sentence } = healthWords(tracker);
  return (
    <div className={classes.health}>
      <Badge tone={tone} icon={ICONS[tone]} dashed={tone === 'neutral'}>
        {label}
      </Badge>
      <ClampedText lines={3}>{sentence}</ClampedText>
      {tracker.health.cause === 'token_refused' ? (
        <Button size="xs" variant="filled" onClick={onEnterToken}>
          Enter a new token
        </Button>
      ) : null}
    </div>
  );
}
