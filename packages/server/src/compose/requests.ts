import { mailPasswordReset, mailPasswordResetPlace } from '../accounts/job.ts';
import { settleWaitingPayments, settleWaitingPlace } from '../billing/stripe/job.ts';
import { applyChange, applyPlace } from '../changes/job.ts';
import { scoreProject, scoreProjectPlace } from '../compliance/job.ts';
import { findAccountDependencies, findDependenciesPlace } from '../dependencies/job.ts';
import {
  analyzeAccount,
  analyzePlace,
  calibrateAccount,
  calibratePlace,
  judgeBestPairs,
  judgePlace,
} from '../duplicates/job.ts';
import { matchEvents, matchEventsPlace } from '../flows/triggers/job.ts';
import { indexAccountWords, indexWordsPlace } from '../issues/search/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { syncPlace, syncTracker } from '../sync/job.ts';

export type Requests = ReturnType<typeof requestsOf>;

/**
 * Jobs that one feature asks of another. With a transaction, the job is queued at its commit. A
 * second request before the job runs has no effect.
 */
export function requestsOf(db: Db, jobs: Jobs, { sells }: { sells: boolean }) {
  return {
    async sync(transaction: Db, accountId: string, trackerId: string): Promise<void> {
      const payload = { account_id: accountId, tracker_id: trackerId };
      await jobs.enqueue(syncTracker, payload, { ...syncPlace(accountId, trackerId), db: transaction });
    },
    async apply(transaction: Db, accountId: string, changeId: string): Promise<void> {
      const payload = { account_id: accountId, change_id: changeId };
      await jobs.enqueue(applyChange, payload, { ...applyPlace(accountId, changeId), db: transaction });
    },
    async scoring(transaction: Db, accountId: string, runId: string): Promise<void> {
      const payload = { account_id: accountId, run_id: runId };
      await jobs.enqueue(scoreProject, payload, { ...scoreProjectPlace(accountId, runId), db: transaction });
    },
    async matching(transaction: Db, accountId: string): Promise<void> {
      const place = { ...matchEventsPlace(accountId), db: transaction };
      await jobs.enqueue(matchEvents, { account_id: accountId }, place);
    },
    async indexing(accountId: string, transaction = db): Promise<void> {
      const place = { ...indexWordsPlace(accountId), db: transaction };
      await jobs.enqueue(indexAccountWords, { account_id: accountId }, place);
    },
    async dependencies(accountId: string, transaction = db): Promise<void> {
      const place = { ...findDependenciesPlace(accountId), db: transaction };
      await jobs.enqueue(findAccountDependencies, { account_id: accountId }, place);
    },
    async analysis(accountId: string, transaction = db): Promise<void> {
      const place = { ...analyzePlace(accountId), db: transaction };
      await jobs.enqueue(analyzeAccount, { account_id: accountId }, place);
    },
    async calibration(transaction: Db, accountId: string): Promise<void> {
      const place = { ...calibratePlace(accountId), db: transaction };
      await jobs.enqueue(calibrateAccount, { account_id: accountId }, place);
    },
    async judging(accountId: string): Promise<void> {
      await jobs.enqueue(judgeBestPairs, { account_id: accountId }, judgePlace(accountId));
    },
    /**
     * Requests settlement of the waiting payments of an address. Does nothing if plans are not
     * sold.
     */
    async payments(transaction: Db, email: string): Promise<void> {
      const place = { ...settleWaitingPlace(email), db: transaction };
      if (sells) await jobs.enqueue(settleWaitingPayments, { email }, place);
    },
    async passwordReset(email: string): Promise<void> {
      await jobs.enqueue(mailPasswordReset, { email }, mailPasswordResetPlace(email));
    },
  };
}
