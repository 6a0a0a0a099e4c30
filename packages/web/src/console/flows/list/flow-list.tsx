import { IconArrowsSplit2 } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Flow } from '@winnow/contract/flow';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import frame from '../../../ui/list-frame.module.css';
import { Loading, RowsSkeleton } from '../../../ui/skeletons.tsx';
import type { ListWalk } from '../../../ui/use-list-walk.ts';
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
