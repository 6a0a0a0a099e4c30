import { CHANGE_STATUSES } from '@winnow/contract/change';
import { useLiveEvent } from '../../app/live/live.ts';
import { refreshDependencies } from './queries.ts';

/**
 * Asks again for what is known of dependencies when that may be out of date: a change that is through may have committed
 * one or taken it back, issues may say something else, and a model may have found more.
 */
export function useLiveRefresh(): void {
  useLiveEvent('change_updated', ({ status }) => {
    if (CHANGE_STATUSES[status].settled) refreshDependencies();
  });
  useLiveEvent('issues_changed', refreshDependencies);
  useLiveEvent('dependencies_changed', refreshDependencies);
}
