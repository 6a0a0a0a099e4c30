import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import type { LikelihoodReason, PairDetail } from '@winnow/contract/duplicate';
import { probabilityText } from '../../../features/pairs/pair-texts.ts';
import classes from './panel.module.css';

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

/** Probability that both are one issue, with the facts that raise and lower it. */
export function LikelihoodParts({ pair }: { pair: Pick<PairDetail, 'probability' | 'likelihood'> }) {
  const { raises, lowers } = pair.likelihood;
  return (
    <section className={classes.section} aria-label="Probability">
      <div className={classes.likelihood}>
        <dl className={classes.total}>
          <dt>Probability</dt>
          <dd>{probabilityText(pair.probability)}</dd>
        </dl>
        <div>
          <Reasons of="raises" reasons={raises} />
          <Reasons of="lowers" reasons={lowers} />
        </div>
      </div>
      <p className={classes.weights}>
        The probability that both are the same issue. Each fact is compared with a typical pair.
      </p>
    </section>
  );
}
