import { type HandledJob, handle } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { runFlow, runFlowPlace } from '../executions/job.ts';
import { everyUnended } from '../executions/store.ts';
import type { FlowRunner } from './runner.ts';

/** Runs executions. */
export function handleRunFlow(runner: FlowRunner): HandledJob {
  return handle(
    runFlow,
    ({ account_id: accountId, execution_id: executionId, by_hand: byHand }, { signal }) =>
      runner.run(accountId, executionId, { signal, byHand }),
  );
}

/** Goes on with every execution that has not ended, should its job have been lost. */
export async function resumeExecutions(db: Db, jobs: Jobs): Promise<void> {
  for (const { account_id, id } of await everyUnended(db)) {
    const payload = { account_id, execution_id: id };
    await jobs.enqueue(runFlow, payload, { ...runFlowPlace(id), onlyIfNone: true });
  }
}
