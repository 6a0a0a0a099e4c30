import { useQuery } from '@tanstack/react-query';
import {
  customPlansOptions,
  plansOptions,
  subscriptionOptions,
} from '../../../features/plan-cards/queries.ts';
import { isBilled } from '../../../features/plans/subscription.ts';
import { useTrackers } from '../../../features/trackers/tracker-list.ts';
import classes from './account.module.css';
import { endingText } from './deletion-texts.ts';

/**
 * States what else ends with the account: the subscription and webhooks. Omits data that is still
 * loading.
 */
export function DeletionConsequences() {
  const { data: current } = useQuery(subscriptionOptions);
  const { data: plans = [] } = useQuery(plansOptions);
  const { data: custom = [] } = useQuery(customPlansOptions);
  const { data: trackers = [] } = useTrackers();
  const paid = isBilled(current) ? current.plan_id : null;
  const text = endingText({
    planName: paid === null ? null : ([...plans, ...custom].find(({ id }) => id === paid)?.name ?? ''),
    withWebhooks: trackers.filter(({ webhooks }) => webhooks.state === 'active').length,
  });
  return text === '' ? null : <p className={classes.words}>{text}</p>;
}
