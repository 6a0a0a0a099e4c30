import { useQuery } from '@tanstack/react-query';
import { PlanCards } from '../../../features/plan-cards/plan-cards.tsx';
import {
  customPlansOptions,
  plansOptions,
  useSyncedSubscription,
} from '../../../features/plan-cards/queries.ts';
import { isSold } from '../../../features/plans/subscription.ts';
import { SettingsPage } from '../../../features/settings/settings-page.tsx';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { CurrentPlan } from './current-plan.tsx';

/** Subscription screen of the settings: shows the current plan and the available plans. */
export function SubscriptionScreen() {
  const { synced, current } = useSyncedSubscription();
  const plans = useQuery(plansOptions);
  const custom = useQuery(customPlansOptions);
  const failed = [
    { query: current, title: 'Failed to load subscription details.' },
    { query: plans, title: 'Failed to load public plans.' },
    { query: custom, title: 'Failed to load custom plans.' },
  ].find(({ query }) => query.isError);
  if (failed !== undefined) {
    return (
      <SettingsPage>
        <PermissionGate needs="own" notice>
          <ErrorState
            error={failed.query.error}
            title={failed.title}
            onRetry={() => void failed.query.refetch()}
            retrying={failed.query.isFetching}
          />
        </PermissionGate>
      </SettingsPage>
    );
  }
  if (current.data === undefined || plans.data === undefined || custom.data === undefined) {
    return (
      <SettingsPage>
        <PermissionGate needs="own" notice>
          <Loading label="Loading…">
            <TextSkeleton width="100%" height={120} />
            <TextSkeleton width="100%" height={320} />
          </Loading>
        </PermissionGate>
      </SettingsPage>
    );
  }
  const known = [...plans.data, ...custom.data];
  const planId = current.data?.plan_id ?? 'free';
  const others = known.filter(
    ({ id, price_monthly, price_annually }) => id !== planId && (price_monthly ?? price_annually ?? 0) > 0,
  );
  return (
    <SettingsPage>
      <PermissionGate needs="own" notice>
        <CurrentPlan
          plans={known}
          current={current.data}
          plan={known.find(({ id }) => id === planId) ?? null}
          isOld={synced.isError && isSold(current.data)}
        />
        {isSold(current.data) ? <PlanCards plans={others} known={known} current={current.data} /> : null}
      </PermissionGate>
    </SettingsPage>
  );
}
