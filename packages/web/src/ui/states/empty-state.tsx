import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './states.module.css';

export type EmptyStateProps = {
  icon: Icon;
  title: ReactNode;
  /** One sentence about the purpose of this place. */
  children?: ReactNode;
  /** Button that adds the first item. */
  action?: ReactNode;
};

/** Placeholder for an empty place: explains its purpose and offers the action that fills it. */
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
