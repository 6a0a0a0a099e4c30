import { Button } from '@mantine/core';
import { IconHistory, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import type { FlowExecution } from '@winnow/contract/flow';
import { Link, useNavigate } from 'react-router';
import { useOneAtATime } from '../../../../api/query/one-at-a-time.ts';
import { Badge } from '../../../../theme/parts/badge.tsx';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import { hasEnded, useStopOrRetryExecution } from '../queries.ts';
import { EXECUTIONS, executionAddress } from '../search-params.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './detail.module.css';

/** Bar with the flow of an execution, and buttons that stop the execution or run it again. */
export function ExecutionBar({ execution }: { execution: FlowExecution }) {
  const navigate = useNavigate();
  const steering = useOneAtATime(useStopOrRetryExecution(execution.id));
  const { id, flow_id, flow_name } = execution;
  const ended = hasEnded(execution);
  const isStopping = steering.isSuccess && steering.variables === 'stop';
  const retry = () =>
    steering.mutate('retry', { onSuccess: (again) => void navigate(executionAddress(again.id)) });
  return (
    <>
      <div className={classes.bar}>
        <Link className={`${classes.flow} link`} to={`/console/flows/${flow_id}`} dir="auto">
          {flow_name}
        </Link>
        {execution.dry_run ? (
          <Badge small tone="info">
            Dry run
          </Badge>
        ) : null}
        <CopyButton label="Copy the execution’s id" text={() => id} />
        <span className={classes.grow} />
        <Button
          component={Link}
          to={EXECUTIONS}
          leftSection={<IconHistory size={16} stroke={1.75} aria-hidden />}
        >
          All executions
        </Button>
        {ended ? (
          <Button
            leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden />}
            loading={steering.isPending}
            onClick={retry}
          >
            Retry
          </Button>
        ) : (
          <Button
            leftSection={<IconPlayerStop size={16} stroke={1.75} aria-hidden />}
            loading={steering.isPending}
            disabled={isStopping}
            onClick={() => steering.mutate('stop')}
          >
            {isStopping ? 'Stopping…' : 'Stop'}
          </Button>
        )}
      </div>
      {steering.error === null ? null : <ErrorState error={steering.error} />}
    </>
  );
}
