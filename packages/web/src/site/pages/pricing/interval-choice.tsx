import type { BillingInterval } from '@winnow/contract/plan';
import { useState } from 'react';
import { INTERVALS } from '../../../features/plans/price-texts.ts';
import classes from './interval-choice.module.css';

export interface IntervalChoiceProps {
  interval: BillingInterval;
  onChange: (interval: BillingInterval) => void;
}

/** Switches between monthly and yearly prices, and announces the change to screen readers. */
export function IntervalChoice({ interval, onChange }: IntervalChoiceProps) {
  const [announced, setAnnounced] = useState('');

  return (
    <>
      <div className={classes.choice} role="radiogroup" aria-label="Billing interval">
        {INTERVALS.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="interval"
              value={value}
              checked={value === interval}
              onChange={() => {
                onChange(value);
                setAnnounced(`${label} prices are shown.`);
              }}
            />
            {label}
          </label>
        ))}
      </div>
      <p role="status" className="vh">
        {announced}
      </p>
    </>
  );
}
