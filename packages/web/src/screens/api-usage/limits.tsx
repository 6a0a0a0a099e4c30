import type { ApiUsage, UsageLimit } from '@winnow/contract/usage';
import { Meter } from '../../theme/parts/meter.tsx';
import { Card } from '../../ui/card.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import classes from './limits.module.css';
import { monthText } from './usage-texts.ts';

/** Share of a plan limit that triggers a warning. */
const WARNING_SHARE = 0.8;

function Limit({ label, used, limit }: UsageLimit & { label: string }) {
  const share = limit === null ? 0 : limit === 0 ? 1 : used / limit;
  return (
    <li>
      <span className={classes.words}>
        <b>{label}</b>
        <span>
          {countText(used)} {limit === null ? '· no limit' : `of ${countText(limit)}`}
          {share > 1 ? <em data-over> · over the limit</em> : null}
        </span>
      </span>
      {limit === null ? null : (
        <Meter value={share} tone={share > 1 ? 'danger' : share >= WARNING_SHARE ? 'warning' : 'accent'} />
      )}
    </li>
  );
}

/** This month's usage, compared with the limits of the plan. */
export function Limits({ limits }: { limits: ApiUsage['limits'] }) {
  const { plan_name, period, is_enforced, api_calls_monthly, ai_calls_monthly, issues_ingested_monthly } =
    limits;
  return (
    <Card title={`${plan_name} plan, ${monthText(period.from)}`}>
      <ul className={classes.limits}>
        <Limit label="API requests" {...api_calls_monthly} />
        <Limit label="AI calls" {...ai_calls_monthly} />
        <Limit label="Issues ingested" {...issues_ingested_monthly} />
      </ul>
      <p className={classes.note}>
        {is_enforced
          ? 'Beyond a limit, calls are refused and new issues are left out until the month ends.'
          : 'Usage is counted but not limited.'}{' '}
        Months follow UTC.
      </p>
    </Card>
  );
}
