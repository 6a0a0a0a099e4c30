import { FeatureValue } from '../../../features/plans/feature-value.tsx';
import { FEATURE_ROWS } from '../../../features/plans/plan-features.ts';
import classes from './plan-cards.module.css';
import { PlanName, PlanOffer, type PlansProps } from './plan-head.tsx';

/** The plans as a list of cards, shown on screens narrower than 860 px. */
export function PlanCards({ plans, ...offer }: PlansProps) {
  return (
    <ul className={classes.cards}>
      {plans.map((plan) => (
        <li key={plan.id} className={plan.id === 'ultra' ? classes.popular : undefined}>
          <h2>
            <PlanName plan={plan} />
          </h2>
          <PlanOffer plan={plan} {...offer} />
          <dl>
            {FEATURE_ROWS.map(({ feature, label }) => (
              <div key={feature}>
                <dt>{label}</dt>
                <dd>
                  <FeatureValue value={plan.features[feature]} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
