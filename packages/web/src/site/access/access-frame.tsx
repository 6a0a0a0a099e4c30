import type { ReactNode } from 'react';
import classes from './access-frame.module.css';
import { PairPicture } from './pair-picture.tsx';

export interface AccessFrameProps {
  /** The heading. */
  title: string;
  /** One line under it. */
  lead?: string;
  /** Where else one can go, under everything else. */
  footer?: ReactNode;
  /** What stands beside the card from 1024 px, and under it below; else the picture of two reports of one bug. */
  beside?: ReactNode;
  /** For a form whose fields stand in two columns. */
  wide?: boolean;
  children: ReactNode;
}

/** The frame of the ways in: a card, and from 1024 px what it leads to. */
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
