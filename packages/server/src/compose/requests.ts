import { mailPasswordReset, mailPasswordResetQueueKey } from '../accounts/job.ts';
import { settleWaitingPayments, settleWaitingQueueKey } from '../billing/stripe/job.ts';
import { applyChange, applyQueueKey } from '../changes/job.ts';
import { clusterAccount, clusterQueueKey } from '../clusters/job.ts';
import { scoreProject, scoreProjectQueueKey } from '../compliance/job.ts';
import { findAccountDependencies, findDependenciesQueueKey } from '../dependencies/job.ts';
import {
  analyzeAccount,
  analyzeQueueKey,
  calibrateAccount,
  calibrateQueueKey,
  judgeBestPairs,
  judgeQueueKey,
} from '../duplicates/job.ts';
import { matchEvents, matchEventsQueueKey } from '../flows/triggers/job.ts';
import { indexAccountWords, indexWordsQueueKey } from '../issues/search/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { syncQueueKey, syncTracker } from '../sync/job.ts';

/**
 * Returns the functions with which one feature schedules a job of another. With a transaction, the
 * job is queued when it commits. While a job waits, further requests for it have no effect.
 */
export function createJobRequests(db: Db, jobs: Jobs, { sells }: { sells: boolean }) {
  return {
    async sync(transaction: Db, accountId: string, trackerId: string): Promise<void> {
      const payload = { account_id: accountId, tracker_id: trackerId };
      await jobs.enqueue(syncTracker, payload, { ...syncQueueKey(accountId, trackerId), db: transaction });
    },
    async apply(transaction: Db, accountId: string, changeId: string): Promise<void> {
      const payload = { account_id: accountId, change_id: changeId };
      await jobs.enqueue(applyChange, payload, { ...applyQueueKey(accountId, changeId), db: transaction });
    },
    async scoring(transaction: Db, accountId: string, runId: string): Promise<void> {
      const payload = { account_id: accountId, run_id: runId };
      await jobs.enqueue(scoreProject, payload, {
        ...scoreProjectQueueKey(accountId, runId),
        db: transaction,
      });
    },
    async matching(transaction: Db, accountId: string): Promise<void> {
      const options = { ...matchEventsQueueKey(accountId), db: transaction };
      await jobs.enqueue(matchEvents, { account_id: accountId }, options);
    },
    async indexing(accountId: string, transaction = db): Promise<void> {
      const options = { ...indexWordsQueueKey(accountId), db: transaction };
      await jobs.enqueue(indexAccountWords, { account_id: accountId }, options);
    },
    async dependencies(accountId: string, transaction = db): Promise<void> {
      const options = { ...findDependenciesQueueKey(accountId), db: transaction };
      await jobs.enqueue(findAccountDependencies, { account_id: accountId }, options);
    },
    async analysis(accountId: string, transaction = db): Promise<void> {
      const options = { ...analyzeQueueKey(accountId), db: transaction };
      await jobs.enqueue(analyzeAccount, { account_id: accountId }, options);
    },
    async analysisAt(accountId: string, runAt: Date): Promise<void> {
      const options = { ...analyzeQueueKey(accountId), runAt };
      await jobs.enqueue(analyzeAccount, { account_id: accountId }, options);
    },
    async clustering(accountId: string, transaction = db): Promise<void> {
      const options = { ...clusterQueueKey(accountId), db: transaction };
      await jobs.enqueue(clusterAccount, { account_id: accountId }, options);
    },
    async calibration(transaction: Db, accountId: string): Promise<void> {
      const options = { ...calibrateQueueKey(accountId), db: transaction };
      await jobs.enqueue(calibrateAccount, { account_id: accountId }, options);
    },
    async judging(accountId: string): Promise<void> {
      await jobs.enqueue(judgeBestPairs, { account_id: accountId }, judgeQueueKey(accountId));
    },
    /**
     * Schedules settling of an address's waiting payments. Does nothing if this installation sells
     * no plans.
     */
    async payments(transaction: Db, email: string): Promise<void> {
      const options = { ...settleWaitingQueueKey(email), db: transaction };
      if (sells) await jobs.enqueue(settleWaitingPayments, { email }, options);
    },
    async passwordReset(email: string): Promise<void> {
      await jobs.enqueue(mailPasswordReset, { email }, mailPasswordResetQueueKey(email));
    },
  };
}
