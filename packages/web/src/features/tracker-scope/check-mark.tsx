import { IconCheck, IconMinus } from '@tabler/icons-react';
import type { CheckState } from './scope-selection.ts';
import classes from './scope-tree.module.css';

/** Visual checkbox. The row that contains it exposes the state to screen readers. */
export function CheckMark({ state }: { state: CheckState }) {
  return (
    <span className={classes.check} data-state={state} aria-hidden="true">
      {state === 'all' ? <IconCheck size={12} stroke={2.5} /> : null}
      {state === 'some' ? <IconMinus size={12} stroke={2.5} /> : null}
    </span>
  );
}
