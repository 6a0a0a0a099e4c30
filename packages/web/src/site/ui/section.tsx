import type { ReactNode } from 'react';
import classes from './section.module.css';

export interface SectionProps {
  /** Accessible name. Needed if the section has no heading. */
  label?: string;
  /** True to center the content. */
  isCentered?: boolean;
  children: ReactNode;
}

/** A section of a public page. It is limited to the content width and ends with a line. */
export function Section({ label, isCentered = false, children }: SectionProps) {
  return (
    <section className={classes.section} {...(label === undefined ? {} : { 'aria-label': label })}>
      <div className={`${classes.inside} ${isCentered ? classes.centered : ''}`}>{children}</div>
    </section>
  );
}

export interface SectionHeadProps {
  title: string;
  /** One or two sentences below the title. */
  lead?: string;
  /** Heading level: 1 for the title of the page. Default: 2. */
  level?: 1 | 2;
}

/** The heading of a section with an introduction. */
export function SectionHead({ title, lead, level = 2 }: SectionHeadProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div>
      <Heading className={classes.title}>{title}</Heading>
      {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
    </div>
  );
}

/** Buttons side by side. On phones, they are stacked. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
