import { IconCheck, IconMinus } from '@tabler/icons-react';
import classes from './feature-value.module.css';
import { amountText } from './price-texts.ts';

/** Value of a feature in a plan: an amount, or an icon that shows whether it is included. */
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
