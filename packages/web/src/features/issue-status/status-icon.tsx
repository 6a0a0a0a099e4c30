import { type Icon, IconCircle, IconCircleCheck, IconCircleDot } from '@tabler/icons-react';
import { toneTokens } from '../../theme/tones.ts';
import { statusTone } from './issue-status.ts';

const ICONS: Record<ReturnType<typeof statusTone>, Icon> = {
  accent: IconCircleDot,
  success: IconCircleCheck,
  neutral: IconCircle,
};

/** Icon of an issue's status. Screen readers read the status name of the tracker. */
export function StatusIcon({ status, size = 15 }: { status: string; size?: number }) {
  const tone = statusTone(status);
  const Glyph = ICONS[tone];
  return (
    <Glyph
      size={size}
      stroke={1.75}
      role="img"
      aria-label={status}
      style={{ color: toneTokens(tone).text, flex: 'none' }}
    />
  );
}
