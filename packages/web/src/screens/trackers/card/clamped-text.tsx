import { Tooltip } from '@mantine/core';
import classes from './tracker-card.module.css';

/** Text that is truncated after some lines. A tooltip shows the full text. */
export function ClampedText({ lines, children }: { lines: number; children: string }) {
  return (
    <Tooltip label={children} multiline openDelay={400}>
      <p className={classes.clamped} style={{ WebkitLineClamp: lines }}>
        {children}
      </p>
    </Tooltip>
  );
}
