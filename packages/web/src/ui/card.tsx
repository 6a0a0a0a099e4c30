import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

export type CardProps = {
  /**
   * Heading of the card, which also names the region for screen readers. A card without a title is
   * a plain surface.
   */
  title?: ReactNode;
  /** Content to the right of the title, such as a badge or an info button. */
  beside?: ReactNode;
  /** Content at the right end of the card's header, such as a count, a link or a button. */
  actions?: ReactNode;
  /** True to add a padding of 16 px around the children. */
  inset?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** The standard container of the console: a surface with a border and no shadow. */
export function Card({ title, beside, actions, inset = false, className, children }: CardProps) {
  const titleId = useId();
  return (
    <section
      className={`${classes.card} ${className ?? ''}`}
      {...(title === undefined ? {} : { 'aria-labelledby': titleId })}
    >
      {title === undefined ? null : (
        <div className={classes.head}>
          <h2 className={classes.title} id={titleId}>
            {title}
          </h2>
          {beside}
          <span className={classes.grow} />
          {actions}
        </div>
      )}
      {inset ? <div className={classes.inset}>{children}</div> : children}
    </section>
  );
}
