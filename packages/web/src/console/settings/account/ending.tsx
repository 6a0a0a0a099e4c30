import { useQuery } from '@tanstack/react-query';
import { useTrackers } from '../../../app/shell/counts.ts';
import { isBilled } from '../../../plans/subscription.ts';
import { customPlansOptions, plansOptions, subscriptionOptions } from '../../plans/queries.ts';
import classes from './account.module.css';
import { endingText } from './words.ts';

/** What ends elsewhere with the account: what is paid, and webhooks in trackers. Nothing of what is not known. */
export function Ending() {
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
