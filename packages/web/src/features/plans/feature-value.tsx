import { IconCheck, IconMinus } from '@tabler/icons-react';
import classes from './feature-value.module.css';
import { amountText } from './price-texts.ts';

/** A plan's value of a feature: an amount, or whether it is included. */
export function FeatureValue({ value }: { value: number | boolean }) {
  if (typeof value === 'number') return <span className="num">{amountText(value)}</span>;
  const Icon = value ? IconCheck : IconMinus;
  return (
    <span className={value ? classes.included : classes.missing}>
      <Icon size={18} aria-hidden />
      <span className="vh">{value ? 'Included' : 'Not included'}</span>
    </span>
  );
}
