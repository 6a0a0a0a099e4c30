import { IconClock } from '@tabler/icons-react';
import classes from './upcoming-note.module.css';

/** Says that something is not there yet. */
export function UpcomingNote({ children }: { children: string }) {
  return (
    <p className={classes.note}>
      <IconClock size={16} aria-hidden />
      {children}
    </p>
  );
}
