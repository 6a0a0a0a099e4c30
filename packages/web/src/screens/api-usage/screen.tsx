import type { ApiUsage } from '@winnow/contract/usage';
import { SettingsPage } from '../../features/settings/settings-page.tsx';
import { useScreenSearch } from '../../ui/address/use-screen-search.ts';
import { ErrorState } from '../../ui/states/error-state.tsx';
import classes from './api-usage.module.css';
import { ByDay } from './by-day.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { KeyUsage } from './key-usage.tsx';
import { Limits } from './limits.tsx';
import { ModelUsage } from './model-usage.tsx';
import { NoUsage } from './no-usage.tsx';
import { useUsage } from './queries.ts';
import { RangeBar } from './range-bar.tsx';
import {
  daysOf,
  parseSearch,
  problemOf,
  serializeSearch,
  type UsageSearch,
  withRange,
} from './search-params.ts';
import { Totals } from './totals.tsx';
import { UsageSkeleton } from './usage-skeleton.tsx';

type UsedProps = {
  usage: ApiUsage;
  search: UsageSearch;
  onSearch: (search: Partial<UsageSearch>) => void;
};

/** True if the range contains any usage. */
function hasUsage({ total_requests, ai }: ApiUsage): boolean {
  return total_requests > 0 || ai.by_model.length > 0;
}

function Used({ usage, search, onSearch }: UsedProps) {
  const { total_requests, requests_ever, requests_by_endpoint, requests_by_key, ai, limits } = usage;
  if (!hasUsage(usage)) {
    return (
      <>
        <NoUsage everUsed={requests_ever > 0} />
        <Limits limits={limits} />
      </>
    );
  }
  return (
    <>
      <Totals usage={usage} />
      <ByDay usage={usage} series={search.series} onSeries={(series) => onSearch({ series })} />
      {total_requests === 0 ? null : (
        <EndpointTable endpoints={requests_by_endpoint} sorting={search} onSort={onSearch} />
      )}
      <div className={classes.columns}>
        {total_requests === 0 ? null : <KeyUsage keys={requests_by_key} />}
        <Limits limits={limits} />
        <ModelUsage ai={ai} />
      </div>
      <p className={classes.note}>
        Days follow UTC. Requests that a rate limit refused are not counted; latencies are accurate to within
        5%.
      </p>
    </>
  );
}

/** Usage screen: API requests, AI calls and plan limits of the account. */
export function ApiUsageScreen() {
  const { search, go } = useScreenSearch(parseSearch, serializeSearch);
  const now = new Date();
  const days = daysOf(search, now);
  const problem = problemOf(days, now);
  const usage = useUsage(days, { enabled: problem === null });
  const { data, error } = usage;
  const canSave = problem === null && error === null && data !== undefined && hasUsage(data);
  const change = (changes: Partial<UsageSearch>) => go({ ...search, ...changes }, { replace: true });
  return (
    <SettingsPage width="large">
      <RangeBar
        search={search}
        problem={problem}
        saved={canSave ? { from: data.from, to: data.to } : undefined}
        onRange={(range) => go(withRange(search, range, new Date()))}
        onDays={change}
      />
      {error === null ? null : (
        <ErrorState
          error={error}
          title="Failed to fetch API usage"
          onRetry={() => void usage.refetch()}
          retrying={usage.isFetching}
        />
      )}
      {data === undefined ? (
        error === null && problem === null ? (
          <UsageSkeleton />
        ) : null
      ) : (
        <div className={classes.shown} data-stale={usage.isPlaceholderData || undefined}>
          <Used usage={data} search={search} onSearch={change} />
        </div>
      )}
    </SettingsPage>
  );
}
