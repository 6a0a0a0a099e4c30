import { Alert } from '@mantine/core';
import type { FlowExecution } from '@winnow/contract/flow';
import { useParams } from 'react-router';
import { layoutText } from '../../../../features/issues/text/lines.ts';
import { TextLines } from '../../../../features/issues/text/text-lines.tsx';
import { Meter } from '../../../../theme/parts/meter.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Page } from '../../../../ui/page.tsx';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import { isMissing, MissingResource } from '../../missing-flow.tsx';
import { useExecution } from '../queries.ts';
import { EXECUTIONS } from '../search-params.ts';
import { AboutExecution } from './about-execution.tsx';
import { ActionsTaken } from './actions-taken.tsx';
import classes from './detail.module.css';
import { ExecutionBar } from './execution-bar.tsx';
import { ExecutionFacts } from './execution-facts.tsx';
import { LogPanel } from './log-panel.tsx';
import { MadeChanges } from './made-changes.tsx';
import { useExecutionLog } from './use-log.ts';

/** Flow Execution screen: shows the status, trigger, changes and live log of an execution. */
export function ExecutionScreen() {
  const { executionId = '' } = useParams();
  const execution = useExecution(executionId);
  if (isMissing(executionId, execution.error)) {
    return (
      <Page width="large">
        <MissingResource
          title="Execution not found"
          back={{ to: EXECUTIONS, label: 'Go to the executions' }}
        />
      </Page>
    );
  }
  if (execution.data !== undefined) {
    return (
      <Page width="large">
        <Execution key={executionId} execution={execution.data} />
      </Page>
    );
  }
  return (
    <Page width="large">
      {execution.error === null ? (
        <div className={classes.loading} role="progressbar" aria-label="Loading the execution">
          <Meter value={null} />
        </div>
      ) : (
        <ErrorState
          error={execution.error}
          title="The execution could not be loaded"
          onRetry={() => void execution.refetch()}
          retrying={execution.isFetching}
        />
      )}
    </Page>
  );
}

function Execution({ execution }: { execution: FlowExecution }) {
  const log = useExecutionLog(execution);
  const { result, error_message: reason } = execution;
  return (
    <>
      <ExecutionBar execution={execution} />
      <ExecutionFacts execution={execution} log={log.data ?? []} />
      {reason === null ? null : (
        <Alert color="danger" title="Execution failed" role="note">
          {reason}
        </Alert>
      )}
      <AboutExecution execution={execution} />
      <MadeChanges changeIds={execution.change_ids} />
      {result === null ? null : (
        <Card title="Outcome" inset>
          <TextLines rows={layoutText(result, []).map((line) => ({ kind: 'line', line }))} />
        </Card>
      )}
      <ActionsTaken execution={execution} />
      <LogPanel execution={execution} log={log} />
    </>
  );
}
