import type { PairDetail } from '@winnow/contract/duplicate';
import { LikelihoodReasons } from '../../../features/pairs/likelihood-reasons.tsx';
import { probabilityText } from '../../../features/pairs/pair-texts.ts';
import classes from './panel.module.css';

/** Probability that both issues of a pair are the same, with the facts that raise or lower it. */
export function LikelihoodParts({ pair }: { pair: Pick<PairDetail, 'probability' | 'likelihood'> }) {
  return (
    <section className={classes.section} aria-label="Probability">
      <div className={classes.likelihood}>
        <dl className={classes.total}>
          <dt>Probability</dt>
          <dd>{probabilityText(pair.probability)}</dd>
        </dl>
        <LikelihoodReasons pair={pair} />
      </div>
      <p className={classes.weights}>
        The probability that both are the same issue. Each fact is compared with a typical pair. Points show
        how much it raises or lowers the probability.
      </p>
    </section>
  );
}
