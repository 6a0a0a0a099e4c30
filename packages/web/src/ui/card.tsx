import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

export type CardProps = {
  /** Heading, which also names the region. Without it the card is a plain surface. */
  title?: ReactNode;
  /** Content right after the title, such as a badge or an info button. */
  beside?: ReactNode;
  /** Content at the right end of the head, such as a count, a link or a button. */
  actions?: ReactNode;
  /** Adds the 16 px inset around the children. */
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
