import { type ReactNode, useEffect, useRef } from 'react';
import classes from './outcome.module.css';

/** What came of a form, in its place: it takes the focus that the form had. */
export function Outcome({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div ref={element} tabIndex={-1} className={classes.outcome}>
      {children}
    </div>
  );
}
