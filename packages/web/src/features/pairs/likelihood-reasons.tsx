import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import type { LikelihoodReason, PairDetail } from '@winnow/contract/duplicate';
import classes from './likelihood-reasons.module.css';

const DIRECTIONS = {
  raises: { label: 'Raises the probability', icon: IconTrendingUp },
  lowers: { label: 'Lowers the probability', icon: IconTrendingDown },
} as const;

function Reasons({ of, reasons }: { of: keyof typeof DIRECTIONS; reasons: readonly LikelihoodReason[] }) {
  if (reasons.length === 0) return null;
  const { label, icon: Glyph } = DIRECTIONS[of];
  return (
    <ul className={classes.reasons} aria-label={label}>
      {reasons.map(({ text }) => (
        <li key={text} data-effect={of}>
          <Glyph size={14} stroke={1.75} aria-hidden />
          <span dir="auto">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Facts that raise and lower the probability that two issues are one. */
export function LikelihoodReasons({ likelihood }: Pick<PairDetail, 'likelihood'>) {
  return (
    <div>
      <Reasons of="raises" reasons={likelihood.raises} />
      <Reasons of="lowers" reasons={likelihood.lowers} />
    </div>
  );
}
