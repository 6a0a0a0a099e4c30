import { Tooltip } from '@mantine/core';
import classes from './tracker-card.module.css';

/** A text that is cut after some lines, with the full text in the tooltip. */
export function ClampedText({ lines, children }: { lines: number; children: string }) {
  return (
    <Tooltip label={children} multiline openDelay={400}>
      <p className={classes.clamped} style={{ WebkitLineClamp: lines }}>
        {children}
      </p>
    </Tooltip>
  );
}
