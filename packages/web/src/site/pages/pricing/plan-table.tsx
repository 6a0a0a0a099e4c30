import { FeatureValue } from '../../../features/plans/feature-value.tsx';
import { FEATURE_ROWS } from '../../../features/plans/plan-features.ts';
import { PlanName, PlanOffer, type PlansProps } from './plan-head.tsx';
import classes from './plan-table.module.css';

/** The plans side by side in a table, shown on screens from 860 px. */
export function PlanTable({ plans, ...offer }: PlansProps) {
  return (
    <table className={classes.table}>
      <caption className="vh">Prices and limits of the plans</caption>
      <thead>
        <tr>
          <td />
          {plans.map((plan) => (
            <th key={plan.id} scope="col" className={plan.id === 'ultra' ? classes.popular : undefined}>
              <PlanName plan={plan} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr className={classes.offers}>
          <th scope="row">Price</th>
          {plans.map((plan) => (
            <td key={plan.id} className={plan.id === 'ultra' ? classes.popular : undefined}>
              <PlanOffer plan={plan} {...offer} />
            </td>
          ))}
        </tr>
        {FEATURE_ROWS.map(({ feature, label }) => (
          <tr key={feature}>
            <th scope="row">{label}</th>
            {plans.map((plan) => (
              <td key={plan.id} className={plan.id === 'ultra' ? classes.popular : undefined}>
                <FeatureValue value={plan.features[feature]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
