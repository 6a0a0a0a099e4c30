import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { documentTitle } from '../app/screen-title.ts';
import { Wordmark } from '../ui/logo.tsx';
import classes from './access-frame.module.css';
import { PairIllustration } from './pair-illustration.tsx';

export type AccessFrameProps = {
  /** The heading, and the tab's name. */
  title: string;
  /** One line under it. */
  lead: string;
  /** The other way in, under the form. */
  footer: ReactNode;
  children: ReactNode;
};

/** The frame of sign-in and registration: the form, and from 1024 px what it leads to. */
export function AccessFrame({ title, lead, footer, children }: AccessFrameProps) {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
  return (
    <div className={classes.frame}>
      <div className={classes.side}>
        <header className={classes.brand}>
          <Link to="/" aria-label="Winnow">
            <Wordmark size={24} />
          </Link>
        </header>
        <main className={classes.form}>
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.lead}>{lead}</p>
          {children}
          <p className={classes.footer}>{footer}</p>
        </main>
      </div>
      <div className={classes.picture} aria-hidden="true">
        <PairIllustration />
      </div>
    </div>
  );
}
