import { Tooltip } from '@mantine/core';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { exactTimeText } from '../../../ui/texts/relative-time-text.ts';

/** Time to the second, with the relative time in a tooltip. */
export function ExactTime({ at }: { at: string }) {
  return (
    <Tooltip label={<RelativeTime at={at} />}>
      <time dateTime={at}>{exactTimeText(Date.parse(at))}</time>
    </Tooltip>
  );
}
