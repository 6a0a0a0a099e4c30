import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './states.module.css';

export type EmptyStateProps = {
  icon: Icon;
  title: ReactNode;
  /** One sentence about the purpose of the list or screen. */
  children?: ReactNode;
  /** Button that adds the first item. */
  action?: ReactNode;
};

/**
 * Placeholder for a list or screen without content. It explains the purpose and offers the action
 * that adds content.
 */
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
