import { IconArrowsSplit2 } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Flow } from '@winnow/contract/flow';
import { Card } from '../../../ui/card.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../ui/states/skeletons.tsx';
import { FlowTable } from './flow-table.tsx';

export type FlowListProps = {
  flows: UseQueryResult<Flow[]>;
  walk: ListWalk;
  onRun: (flow: Flow) => void;
};

/** The card with the account's flows, in each of its states. */
export function FlowList({ flows, walk, onRun }: FlowListProps) {
  const { data, error } = flows;
  return (
    <Card title="Your Flows">
      {error === null ? null : (
        <div className={frame.failed}>
          <ErrorState
            error={error}
            title="Flows could not be loaded"
            onRetry={() => void flows.refetch()}
            retrying={flows.isFetching}
          />
        </div>
      )}
      {data === undefined ? (
        error === null ? (
          <Loading label="Loading flows">
            <RowsSkeleton rows={3} />
          </Loading>
        ) : null
      ) : data.length === 0 ? (
        <EmptyState icon={IconArrowsSplit2} title="You have no flows yet">
          Clone a preset below, choose a project, and run it by hand on one issue first.
        </EmptyState>
      ) : (
        <FlowTable flows={data} currentId={walk.currentId} onFocus={walk.focus} onRun={onRun} />
      )}
    </Card>
  );
}
