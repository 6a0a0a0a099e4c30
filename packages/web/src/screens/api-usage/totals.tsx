import type { ApiUsage } from '@winnow/contract/usage';
import { Card } from '../../ui/card.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import classes from './totals.module.css';
import { compactText, costOf, durationText, shareText } from './usage-texts.ts';

function Total({ label, value, sub }: { label: string; value: string; sub: string }) {
  return (
    <div className={classes.total}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{value}</dd>
      <dd className={classes.sub}>{sub}</dd>
    </div>
  );
}

function costSub({ unpriced_calls, calls }: ApiUsage['ai']): string {
  return unpriced_calls === 0
    ? 'At list prices'
    : `${countText(unpriced_calls)} of ${countText(calls)} calls have no known price`;
}

/** Totals of the date range. */
export function Totals({ usage }: { usage: ApiUsage }) {
  const { total_requests, errors, p50_ms, p95_ms, ai, issues_ingested } = usage;
  return (
    <Card className={classes.card}>
      <h2 className="vh">Totals</h2>
      <dl className={classes.totals}>
        <Total
          label="API requests"
          value={countText(total_requests)}
          sub={
            errors === 0 ? 'None failed' : `${countText(errors)} failed, ${shareText(errors, total_requests)}`
          }
        />
        <Total
          label="Median latency"
          value={durationText(p50_ms)}
          sub={p95_ms === null ? 'No requests' : `95% within ${durationText(p95_ms)}`}
        />
        <Total
          label="AI calls"
          value={countText(ai.calls)}
          sub={`${compactText(ai.input_tokens)} tokens in, ${compactText(ai.output_tokens)} out`}
        />
        <Total label="AI cost" value={costOf(ai)} sub={costSub(ai)} />
        <Total label="Issues ingested" value={countText(issues_ingested)} sub="Excludes the sample backlog" />
      </dl>
    </Card>
  );
}
