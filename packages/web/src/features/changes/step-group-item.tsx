import type { Change } from '@winnow/contract/change';
import { useState } from 'react';
import type { StepGroup } from '../decisions/step-groups.ts';
import { StepLine } from '../decisions/step-line.tsx';
import steps from '../decisions/steps.module.css';
import classes from './step-item.module.css';
import { StepItem, StepStatus } from './step-item.tsx';

export type StepGroupItemProps = { group: StepGroup; changeStatus: Change['status'] };

/**
 * Steps of one group in a long change. While collapsed, only the most informative step is visible.
 */
export function StepGroupItem({ group: { main, steps: own }, changeStatus }: StepGroupItemProps) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details className={classes.group} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={classes.groupHead}>
            <StepLine step={main} />
            <StepStatus status={main.status} changeStatus={changeStatus} />
          </span>
          {main.error === null ? null : <span className={classes.groupReason}>{main.error}</span>}
        </summary>
        {/* Render the steps only while expanded: hundreds of texts would slow the panel down. */}
        {open ? (
          <ol className={`${steps.list} ${classes.grouped}`}>
            {own.map(({ step, number }) => (
              <StepItem key={step.id} step={step} number={number} changeStatus={changeStatus} />
            ))}
          </ol>
        ) : null}
      </details>
    </li>
  );
}
