import { type ReactNode, useEffect, useRef } from 'react';
import classes from './outcome.module.css';

/** The result message that replaces a form. It receives the focus when it appears. */
export function Outcome({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div ref={element} tabIndex={-1} className={classes.outcome}>
      {children}
    </div>
  );
}
