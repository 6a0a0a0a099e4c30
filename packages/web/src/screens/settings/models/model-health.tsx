import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlayerPause } from '@tabler/icons-react';
import type { AiModel } from '@winnow/contract/ai-model';
import {
  agreementText,
  dollarsText,
  insteadText,
  needsAttention,
  STATE_TONES,
  stateLabel,
  troubleText,
} from '../../../features/models/health-text.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import classes from './models.module.css';

const ICONS = {
  unused: undefined,
  ok: IconCheck,
  failing: IconAlertTriangle,
  paused: IconPlayerPause,
  capped: IconAlertTriangle,
} as const;

/**
 * States this month's usage and caps of a model, such as `This month: 12 of 100 calls, $0.40 of
 * $5.00`.
 */
function useText({ health, monthly_call_cap, monthly_cost_cap, price }: AiModel): string {
  const { calls, cost } = health.month;
  const ofCalls = monthly_call_cap === null ? '' : ` of ${countText(monthly_call_cap)}`;
  const ofCost = monthly_cost_cap === null ? '' : ` of ${dollarsText(monthly_cost_cap)}`;
  const costs = price === null ? 'unknown price' : `${dollarsText(cost)}${ofCost}`;
  return `This month: ${countText(calls)}${ofCalls} ${calls === 1 && ofCalls === '' ? 'call' : 'calls'}, ${costs}`;
}

export type ModelHealthProps = {
  model: AiModel;
  /** True while the model is being tested again. */
  retrying: boolean;
  onRetry: () => void;
};

/**
 * Health of a model: its state, the last success and failure, the analyst used instead, and the
 * usage.
 */
export function ModelHealth({ model, retrying, onRetry }: ModelHealthProps) {
  const { health } = model;
  const trouble = troubleText(model);
  const instead = insteadText(model);
  const icon = ICONS[health.state];
  return (
    <div className={classes.health}>
      <div className={classes.healthLine}>
        <Badge tone={STATE_TONES[health.state]} small {...(icon === undefined ? {} : { icon })}>
          {stateLabel(health.state)}
        </Badge>
        {health.last_success_at === null ? null : (
          <span>
            Last success <RelativeTime at={health.last_success_at} />
          </span>
        )}
        {health.last_failure_at === null ? null : (
          <span>
            Last failure <RelativeTime at={health.last_failure_at} />
          </span>
        )}
        <span>{useText(model)}</span>
      </div>
      <p>{agreementText(model)}</p>
      {trouble === null ? null : <p>{trouble}</p>}
      {trouble === null && health.last_failure !== null ? <p>Last failure: {health.last_failure}</p> : null}
      {instead === null ? null : <p>{instead}</p>}
      {health.state === 'paused' && health.paused_until !== null ? (
        <p>
          Next attempt <RelativeTime at={health.paused_until} />.
        </p>
      ) : null}
      {health.state !== 'capped' && needsAttention(model) ? (
        <Button size="xs" loading={retrying} onClick={onRetry} aria-label={`Try again: ${model.name}`}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
