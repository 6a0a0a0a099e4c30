import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './states.module.css';

export type EmptyStateProps = {
  icon: Icon;
  title: ReactNode;
  /** What this place is for, in a sentence. */
  children?: ReactNode;
  /** The one button that fills it. */
  action?: ReactNode;
};

/** An empty place says what it is for and offers the one thing that fills it. */
export function EmptyState({ icon: Glyph, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Glyph size={20} stroke={1.75} aria-hidden />
      </span>
      <p className={classes.emptyTitle}>{title}</p>
      {children === undefined ? null : <p className={classes.emptyText}>{children}</p>}
      {action === undefined ? null : <div className={classes.action}>{action}</div>}
    </div>
  );
}
