import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { ResolutionPayload } from '@winnow/contract/change';
import type { LiveEvent } from '@winnow/contract/live';
import { Duplicates } from '../../duplicates/service.ts';
import { findIssuesByKey, type IssueView } from '../../issues/index.ts';
import { IssueIntake } from '../../issues/intake.ts';
import { Issues } from '../../issues/service.ts';
import type { EventHandler } from '../../platform/events.ts';
import { openSecrets } from '../../platform/secrets.ts';
import type { Db } from '../../schema/tables.ts';
import { Sync } from '../../sync/sync.ts';
import type { Provider } from '../../trackers/provider.ts';
import { createSampleProvider } from '../../trackers/sample/provider.ts';
import { Trackers } from '../../trackers/service.ts';
import { ChangeApplier } from '../apply.ts';
import { type Actor, Ledger } from '../ledger.ts';

/**
 * Hooks that make a provider's calls fail, or that interrupt the process during a call. The
 * provider itself is not faked.
 */
export interface FaultInjection {
  before?: (method: string) => void | Promise<void>;
  after?: (method: string) => void;
  /** Replaces the tracker's response. */
  answer?: (method: string, answer: unknown) => unknown;
}

/** The user who makes decisions in the tests. */
export const actor: Actor = { type: 'user', id: randomUUID(), name: 'maya' };
export const job = { signal: new AbortController().signal, isLastAttempt: false };

export type LedgerSetup = Awaited<ReturnType<typeof setUpLedger>>;

/**
 * Creates a ledger for a new account with the sample backlog. There is no job queue: tests apply
 * the changes that they submit.
 */
export async function setUpLedger(db: Db) {
  const accountId = randomUUID();
  let trouble: FaultInjection = {};
  await db.insertInto('account').values({ id: accountId }).execute();
  const listeners = new Set<EventHandler<LiveEvent>>();
  const publish = async (_account: string, event: LiveEvent) => {
    for (const listener of listeners) listener(event, 0);
  };
  const subscribe = (_account: string, listener: EventHandler<LiveEvent>) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const clock = { now: () => new Date() };
  const secrets = await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: tmpdir() });

  function troubled(provider: Provider): Provider {
    return new Proxy(provider, {
      get(target, name: keyof Provider) {
        const method = target[name];
        if (typeof method !== 'function') return method;
        return async (...given: unknown[]) => {
          await trouble.before?.(name);
          const answer: unknown = await Reflect.apply(method, target, given);
          trouble.after?.(name);
          return trouble.answer ? trouble.answer(name, answer) : answer;
        };
      },
    });
  }

  const trackers = new Trackers({
    expectConfirmedEmail: async () => undefined,
    db,
    secrets,
    now: clock.now,
    openProvider: (_type, connection) => troubled(createSampleProvider({ connection, db, clock })),
    requestSync: async () => undefined,
    onTrackerRemoved: async () => undefined,
  });
  const intake = new IssueIntake(clock.now);
  const ledger = new Ledger({
    db,
    trackers,
    intake,
    events: { publish, subscribe, listening: async () => undefined },
    requestApply: async () => undefined,
  });
  const applier = new ChangeApplier({ db, ledger, trackers, intake, now: clock.now, publish });
  const duplicates = new Duplicates({
    db,
    issues: new Issues(db),
    ledger,
    now: clock.now,
    explain: async () => ({ title: 0, body: 0, error_text: null, shared: [] }),
    sharedTitleWords: async () => [],
    onDecided: async () => undefined,
    requestAnalysis: async () => undefined,
  });
  ledger.handleKind('resolution', duplicates);
  intake.onIssuesChanged((transaction, account, issueIds) =>
    duplicates.onIssuesChanged(transaction, account, issueIds),
  );
  const tracker = await trackers.create(accountId, { name: 'Sample', type: 'sample' });
  const sync = new Sync({ db, trackers, intake, now: clock.now, publish });
  const syncNow = () => sync.run(accountId, tracker.id, AbortSignal.timeout(20_000));
  await syncNow();

  async function reread(key: string): Promise<IssueView> {
    const [issue] = await findIssuesByKey(db, accountId, key);
    if (!issue) throw new Error(`no ${key}`);
    return issue;
  }

  const rows = await db
    .selectFrom('issue')
    .select('key')
    .where('account_id', '=', accountId)
    .where('state', '=', 'opened')
    .orderBy('created_at')
    .limit(3)
    .execute();
  const [first, second, third] = await Promise.all(rows.map(({ key }) => reread(key)));
  if (!first || !second || !third) throw new Error('The sample has no three open issues.');

  const placeInTracker = (issue: IssueView) => ({
    account_id: accountId,
    project_identifier: issue.project_identifier,
    number: Number(issue.external_id),
  });

  return {
    accountId,
    trackers,
    intake,
    ledger,
    applier,
    duplicates,
    /** The three oldest open issues of the sample. */
    first,
    second,
    third,
    syncNow,
    reread,

    /** Faults to inject into calls of the provider. */
    get trouble(): FaultInjection {
      return trouble;
    },
    set trouble(next: FaultInjection) {
      trouble = next;
    },

    /** Edits an issue directly in the tracker. */
    async editElsewhere(
      issue: IssueView,
      values: {
        title?: string;
        body?: string;
        state?: 'open' | 'closed';
        state_reason?: string | null;
        duplicate_of?: string | null;
      },
    ): Promise<void> {
      const closing =
        values.state === undefined
          ? {}
          : {
              duplicate_of: values.duplicate_of ?? null,
              closed_at: values.state === 'closed' ? new Date() : null,
            };
      await db
        .updateTable('sample_issue')
        .set({ ...values, ...closing, updated_at: new Date() })
        .where((where) => where.and(placeInTracker(issue)))
        .execute();
    },

    /** Returns an issue as read from the tracker. */
    async inTracker(issue: IssueView) {
      const place = placeInTracker(issue);
      const row = await db
        .selectFrom('sample_issue')
        .selectAll()
        .where((where) => where.and(place))
        .executeTakeFirstOrThrow();
      const comments = await db
        .selectFrom('sample_comment')
        .select('body')
        .where((where) => where.and(place))
        .orderBy('created_at')
        .execute();
      return {
        title: row.title,
        body: row.body,
        state: row.state,
        duplicateOf: row.duplicate_of,
        comments: comments.map(({ body }) => body),
      };
    },

    /** Returns the stored pair of the first two issues. */
    pair() {
      const [one, other] = [first.id, second.id].sort();
      return db
        .selectFrom('pair')
        .select(['resolution', 'undone', 'change_id', 'both_open'])
        .where('account_id', '=', accountId)
        .where('issue_a', '=', one ?? '')
        .where('issue_b', '=', other ?? '')
        .executeTakeFirst();
    },

    /**
     * Saves a resolution of the first two issues without applying it. Returns the id of the change.
     */
    async submit(decision: Omit<ResolutionPayload, 'issue1_id' | 'issue2_id'>): Promise<string> {
      const payload = { issue1_id: first.id, issue2_id: second.id, ...decision };
      const plan = await duplicates.plan(accountId, payload);
      return ledger.save(accountId, { actor, as: 'applying' }, plan, { seen: decision.base_hashes });
    },

    /** Takes the turn to write to an issue. Returns a function that ends the turn. */
    async holdTurn({ id }: IssueView): Promise<() => Promise<void>> {
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const turn = ledger.runInTurn(accountId, { actor }, { issueIds: [id] }, async () => {
        begun.resolve();
        await held.promise;
        return null;
      });
      await begun.promise;
      return async () => {
        held.resolve();
        await turn;
      };
    },

    /** Returns the number of writes that have a turn or wait for one. */
    async turnCount(): Promise<number> {
      const turns = db.selectFrom('write_turn').select('id').where('account_id', '=', accountId);
      return (await turns.execute()).length;
    },

    /** Applies a change, as the apply job does. Returns its status. */
    async apply(changeId: string) {
      await applier.apply(accountId, changeId, job);
      return (await ledger.get(accountId, changeId)).change.status;
    },

    /** Retries a change. Returns its status. */
    async retry(changeId: string) {
      await ledger.retry(accountId, actor, changeId);
      await applier.apply(accountId, changeId, job);
      return (await ledger.get(accountId, changeId)).change.status;
    },

    /** Undoes a change. Returns its status. */
    async undo(changeId: string) {
      const undoId = await ledger.undo(accountId, actor, changeId);
      await applier.apply(accountId, undoId, job);
      return (await ledger.get(accountId, changeId)).change.status;
    },
  };
}
