import type { ReactNode } from 'react';
import classes from './section.module.css';

export interface SectionProps {
  /** Names the section where it has no heading of its own. */
  label?: string;
  /** What stands in it is set in the middle. */
  isCentered?: boolean;
  children: ReactNode;
}

/** A part of a public page: as wide as the content may be, with a line under it. */
export function Section({ label, isCentered = false, children }: SectionProps) {
  return (
    <section className={classes.section} {...(label === undefined ? {} : { 'aria-label': label })}>
      <div className={`${classes.inside} ${isCentered ? classes.centered : ''}`}>{children}</div>
    </section>
  );
}

export interface SectionHeadProps {
  title: string;
  /** One or two sentences under it. */
  lead?: string;
  /** The heading's level on its page: 2 unless it is the page's own. */
  level?: 1 | 2;
}

/** The heading of a part, and what it is about. */
export function SectionHead({ title, lead, level = 2 }: SectionHeadProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div>
      <Heading className={classes.title}>{title}</Heading>
      {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
    </div>
  );
}

/** Buttons side by side, under each other on a phone. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
