import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import { useState } from 'react';
import { useTrackerWebhook } from '../../../features/trackers/queries.ts';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { CopiedField } from './copied-field.tsx';
import { ReplaceSecret } from './replace-secret.tsx';
import classes from './webhook-section.module.css';
import { WEBHOOK_STATES, WEBHOOK_STEPS } from './webhook-texts.ts';

/** State of the webhook of a tracker, with the data that an administrator needs to create it. */
export function WebhookSection({ trackerId, type }: { trackerId: string; type: ConnectableTrackerType }) {
  const { data: trackers = [] } = useTrackers();
  const [opened, setOpened] = useState(false);
  const webhook = useTrackerWebhook(trackerId, opened);
  const webhooks = trackers.find(({ id }) => id === trackerId)?.webhooks;
  if (webhooks === undefined) return null;
  const { tone, label, sentence } = WEBHOOK_STATES[webhooks.state];
  return (
    <details className={classes.section} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <span className={classes.title}>Webhook</span>
        <Badge tone={tone} small>
          {label}
        </Badge>
      </summary>
      <div className={classes.body}>
        <p>
          {sentence}{' '}
          {webhooks.last_event_at === null ? (
            'No event received yet.'
          ) : (
            <>
              Last event: <RelativeTime at={webhooks.last_event_at} />.
            </>
          )}
        </p>
        {webhook.isError ? (
          <ErrorState
            error={webhook.error}
            onRetry={() => void webhook.refetch()}
            retrying={webhook.isFetching}
          />
        ) : null}
        {webhook.data === undefined ? null : (
          <>
            {webhook.data.problem === null ? null : <p className={classes.problem}>{webhook.data.problem}</p>}
            <CopiedField label="Address" value={webhook.data.url} />
            <CopiedField label="Secret" value={webhook.data.secret} />
            <ReplaceSecret trackerId={trackerId} formerAcceptedUntil={webhook.data.former_accepted_until} />
            <p>{WEBHOOK_STEPS[type]}</p>
            <ul>
              {webhook.data.events.map((event) => (
                <li key={event}>{event}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  );
}
