import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

export type CardProps = {
  /** The heading, which also names the region. Without it the card is a plain surface. */
  title?: ReactNode;
  /** Right after the title: a badge, an info button. */
  beside?: ReactNode;
  /** At the right end of the head: a count, a link, a button. */
  actions?: ReactNode;
  /** Adds the 16 px inset around the children. */
  inset?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** Surface and border, no shadow: the one container of the console. */
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
