import type { ReactNode } from 'react';
import classes from './access-frame.module.css';
import { PairPicture } from './pair-picture.tsx';

export interface AccessFrameProps {
  title: string;
  /** Introduction in one line, shown below the heading. */
  lead?: string;
  /** Links to related pages, at the bottom of the card. */
  footer?: ReactNode;
  /**
   * Content shown beside the card from 1024 px, and below the card on narrower screens. Default:
   * the illustration of two similar reports.
   */
  beside?: ReactNode;
  /** True for a form with two columns of fields. */
  wide?: boolean;
  children: ReactNode;
}

/**
 * Layout of the account pages, such as sign-in and registration: a card, and content beside the
 * card.
 */
export function AccessFrame({ title, lead, footer, beside, wide = false, children }: AccessFrameProps) {
  return (
    <div className={`${classes.frame} ${wide ? classes.wide : ''}`}>
      <div className={classes.card}>
        <h1 className={classes.title}>{title}</h1>
        {lead ? <p className={classes.lead}>{lead}</p> : null}
        <div className={classes.body}>
          <noscript>
            <p className={classes.noscript}>
              This page needs JavaScript. Turn it on in your browser's settings and reload the page.
            </p>
          </noscript>
          {children}
        </div>
        {footer ? <p className={classes.footer}>{footer}</p> : null}
      </div>
      {beside ?? (
        <div className={classes.beside}>
          <PairPicture />
        </div>
      )}
    </div>
  );
}
