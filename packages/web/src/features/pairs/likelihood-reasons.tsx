import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import type { LikelihoodReason, PairDetail } from '@winnow/contract/duplicate';
import { effectText } from './effect-text.ts';
import classes from './likelihood-reasons.module.css';

const DIRECTIONS = {
  raises: { label: 'Raises the probability', icon: IconTrendingUp },
  lowers: { label: 'Lowers the probability', icon: IconTrendingDown },
} as const;

interface ReasonsProps {
  of: keyof typeof DIRECTIONS;
  reasons: readonly LikelihoodReason[];
  probability: number;
}

function Reasons({ of, reasons, probability }: ReasonsProps) {
  if (reasons.length === 0) return null;
  const { label, icon: Glyph } = DIRECTIONS[of];
  return (
    <ul className={classes.reasons} aria-label={label}>
      {reasons.map(({ text, effect }) => (
        <li key={text} data-effect={of}>
          <Glyph size={14} stroke={1.75} aria-hidden />
          <span dir="auto">{text}</span>
          <span className={classes.effect}>{effectText(probability, effect)}</span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Lists the facts that raise or lower the probability that both issues of a pair are the same, each
 * with its effect.
 */
export function LikelihoodReasons({
  pair: { probability, likelihood },
}: {
  pair: Pick<PairDetail, 'probability' | 'likelihood'>;
}) {
  return (
    <div>
      <Reasons of="raises" reasons={likelihood.raises} probability={probability} />
      <Reasons of="lowers" reasons={likelihood.lowers} probability={probability} />
    </div>
  );
}
