import { createHash } from 'node:crypto';
import type { ProjectRef } from '../issues/index.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import {
  lockTrackerRow,
  type OpenTracker,
  type ProviderProject,
  type ProviderWebhooks,
  TrackerError,
  type Trackers,
} from '../trackers/index.ts';
import { isHookCheckDue } from './hook-check.ts';
import * as hookStore from './hook-store.ts';
import { settleWebhooks, settleWebhooksQueueKey } from './job.ts';
import * as store from './store.ts';
import type { WebhookSecret, WebhookSecrets } from './webhook-secret.ts';
import { webhookUrl } from './webhook-url.ts';

export interface HooksOptions {
  db: Db;
  trackers: Trackers;
  jobs: Jobs;
  secrets: WebhookSecrets;
  now: () => Date;
  /** Base URL at which trackers reach this server. Null if they cannot reach it. */
  publicUrl: string | null;
}

/** Data that one call of `settle` uses for all its webhooks. */
interface Settling {
  row: OpenTracker['row'];
  webhooks: ProviderWebhooks;
  credentials: Buffer;
  secret: WebhookSecret;
  signal: AbortSignal;
}

/** Time without any delivery after a missed event. After that time, a webhook counts as silent. */
const SILENT_AFTER_MS = 24 * 60 * 60_000;

/**
 * Creates and removes webhooks in trackers. A webhook is a setting, so users need not approve it.
 * Writes to issues, in contrast, need approval.
 */
export class Hooks {
  readonly #options: HooksOptions;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  /**
   * Ensures that every project in scope has a webhook with the current secret. Removes all other
   * webhooks of Winnow. If trackers cannot reach this server, removes all webhooks.
   *
   * Stores a refusal by the tracker. Throws for rate limits and aborts.
   *
   * @throws {AppError} `not_found` if the tracker was deleted or its account is locked
   */
  async settle(accountId: string, trackerId: string, signal: AbortSignal): Promise<void> {
    const { db, trackers, secrets, publicUrl, now } = this.#options;
    const { row, provider } = await trackers.openUnattended(accountId, trackerId);
    if (provider.webhooks === null) return;
    const secret = await secrets.secretOf(accountId, trackerId);
    const settling = { row, webhooks: provider.webhooks, credentials: credentialsOf(row), secret, signal };
    const known = await hookStore.hooksOf(db, accountId, trackerId);
    const projects = await store.projectsInScope(db, accountId, trackerId);
    // If trackers cannot reach this server, no project needs a webhook.
    const inScope = new Set(publicUrl === null ? [] : projects.map(({ external_id }) => external_id));
    for (const hook of known.filter(({ project_external_id }) => !inScope.has(project_external_id))) {
      if (await this.#remove(settling, hook)) await hookStore.deleteHook(db, hook);
    }
    if (publicUrl === null) return;
    const url = webhookUrl(publicUrl, trackerId);
    for (const project of projects) {
      const hook = known.find(({ project_external_id }) => project_external_id === project.external_id);
      const { credentials } = settling;
      const wanted = { url, trackerUrl: row.url, credentials, secretVersion: secret.version, at: now() };
      if (isHookCheckDue(hook, wanted) && !(await this.#register(settling, project, hook, url))) return;
    }
    await hookStore.forgetPreviousSecret(db, accountId, trackerId);
  }

  /**
   * Records that a project's webhook missed an event, and schedules a check of the webhook. If a
   * webhook exists but has delivered nothing for a day, it counts as failed until it delivers
   * again.
   */
  async noteMissedEvent(db: Db, project: ProjectRef): Promise<void> {
    const at = this.#options.now();
    const silentSince = new Date(at.getTime() - SILENT_AFTER_MS);
    if (!(await hookStore.noteMissed(db, project, { at, silentSince }))) return;
    await this.requestSettling(project.accountId, project.trackerId, db);
  }

  /** Schedules a call of `settle` for a tracker. Merges repeated requests. */
  async requestSettling(accountId: string, trackerId: string, db?: Db): Promise<void> {
    const payload = { account_id: accountId, tracker_id: trackerId };
    await this.#options.jobs.enqueue(settleWebhooks, payload, {
      ...settleWebhooksQueueKey(accountId, trackerId),
      ...(db === undefined ? {} : { db }),
    });
  }

  /**
   * Creates a webhook in the tracker and replaces the previous one. Returns false if that failed
   * for a reason that would also affect other projects.
   */
  async #register(
    settling: Settling,
    project: store.KnownProject,
    previous: hookStore.HookRow | undefined,
    url: string,
  ): Promise<boolean> {
    const { row, webhooks, signal } = settling;
    if (previous && previous.url !== url) {
      if (!(await this.#remove(settling, previous))) return false;
      await hookStore.deleteHook(this.#options.db, previous);
    }
    const hook: hookStore.CreatedHook = {
      account_id: row.account_id,
      tracker_id: row.id,
      project_external_id: project.external_id,
      project_identifier: project.identifier,
      state: 'registered',
      url,
      tracker_url: row.url,
      hook_id: null,
      credentials_hash: settling.credentials,
      secret_version: settling.secret.version,
      problem: null,
      checked_at: this.#options.now(),
    };
    try {
      const { secret } = settling.secret;
      hook.hook_id = await webhooks.register(portProject(hook, project.name), { url, secret }, signal);
    } catch (error) {
      if (!(error instanceof TrackerError) || error.code === 'rate_limited') throw error;
      const isRefused = error.code === 'forbidden' || error.code === 'unsupported';
      await this.#save({ ...hook, state: isRefused ? 'refused' : 'failed', problem: error.message });
      return isRefused || error.code === 'not_found' || error.code === 'invalid';
    }
    if (await this.#save(hook)) return true;
    await this.#remove(settling, hook);
    return false;
  }

  /** Stores the state of a project's webhook. Returns false if the tracker was deleted. */
  #save(hook: hookStore.CreatedHook): Promise<boolean> {
    return this.#options.db.transaction().execute(async (transaction) => {
      if (!(await lockTrackerRow(transaction, hook.account_id, hook.tracker_id))) return false;
      await hookStore.saveHook(transaction, hook);
      return true;
    });
  }

  /**
   * Removes a webhook from the tracker. Returns false if that failed and a retry may succeed. Skips
   * a webhook created at an earlier URL of the tracker, because that URL is out of reach.
   */
  async #remove({ row, webhooks, signal }: Settling, hook: hookStore.CreatedHook): Promise<boolean> {
    signal.throwIfAborted();
    if (hook.hook_id === null || hook.tracker_url !== row.url) return true;
    try {
      await webhooks.remove(portProject(hook), hook.hook_id, signal);
      return true;
    } catch (error) {
      if (!(error instanceof TrackerError)) throw error;
      return !error.transient;
    }
  }
}

/**
 * Converts a stored project to the type that the provider expects. The name is empty, because
 * webhook calls do not need it.
 */
export function portProject(
  hook: { project_external_id: string; project_identifier: string },
  name = hook.project_identifier,
): ProviderProject {
  return { externalId: hook.project_external_id, identifier: hook.project_identifier, name };
}

/**
 * Returns a hash of the connection's URL, user and API key. Comparing it shows if one of them has
 * changed.
 */
function credentialsOf({ url, username, sealed_key }: OpenTracker['row']): Buffer {
  const hash = createHash('sha256').update(JSON.stringify([url, username]));
  return hash.update(sealed_key ?? '').digest();
}
