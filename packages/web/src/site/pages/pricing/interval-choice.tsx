import type { BillingInterval } from '@winnow/contract/plan';
import { useState } from 'react';
import classes from './interval-choice.module.css';

const INTERVALS = { month: 'Monthly', year: 'Yearly' } as const satisfies Record<BillingInterval, string>;

export interface IntervalChoiceProps {
  interval: BillingInterval;
  onChange: (interval: BillingInterval) => void;
}

/** Prices by month or by year; a change is read out. */
export function IntervalChoice({ interval, onChange }: IntervalChoiceProps) {
  const [announced, setAnnounced] = useState('');

  function choose(chosen: BillingInterval): void {
    onChange(chosen);
    setAnnounced(`${INTERVALS[chosen]} prices are shown.`);
  }

  return (
    <>
      <div className={classes.choice} role="radiogroup" aria-label="Billing interval">
        {(['month', 'year'] as const).map((value) => (
          <label key={value}>
            <input
              type="radio"
              name="interval"
              value={value}
              checked={value === interval}
              onChange={() => choose(value)}
            />
            {INTERVALS[value]}
          </label>
        ))}
      </div>
      <p role="status" className="vh">
        {announced}
      </p>
    </>
  );
}
