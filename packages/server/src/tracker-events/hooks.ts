import { createHash } from 'node:crypto';
import type { IntakePlace } from '../issues/intake.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { type ProviderProject, type ProviderWebhooks, TrackerError } from '../trackers/provider.ts';
import { holdTracker, type OpenTracker, type Trackers } from '../trackers/service.ts';
import { webhookUrl } from './address.ts';
import { isDue } from './due.ts';
import * as hookStore from './hook-store.ts';
import { settleWebhooks, settleWebhooksPlace } from './job.ts';
import type { WebhookSecret, WebhookSecrets } from './secret.ts';
import * as store from './store.ts';

export interface HooksOptions {
  db: Db;
  trackers: Trackers;
  jobs: Jobs;
  secrets: WebhookSecrets;
  now: () => Date;
  /** Where trackers reach us; null: nowhere. */
  publicUrl: string | null;
}

/** A tracker whose webhooks are being settled. */
interface Settling {
  row: OpenTracker['row'];
  webhooks: ProviderWebhooks;
  credentials: Buffer;
  secret: WebhookSecret;
  signal: AbortSignal;
}

/** How long a webhook is missed before it counts as one that tells nothing. */
const SILENT_AFTER_MS = 24 * 60 * 60_000;

/** Makes and removes webhooks in trackers: configuration of our connection, not writes to issues. */
export class Hooks {
  readonly #options: HooksOptions;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  /**
   * Sees to it that every project of a tracker that is in scope has a webhook with the present secret if the tracker can
   * reach us, and no other has one of ours. What the tracker refuses is remembered with its sentence; a limit and an abort
   * are thrown. 404 when the tracker is gone or its account locked.
   */
  async settle(accountId: string, trackerId: string, signal: AbortSignal): Promise<void> {
    const { db, trackers, secrets, publicUrl, now } = this.#options;
    const { row, provider } = await trackers.openUnattended(accountId, trackerId);
    if (provider.webhooks === null) return;
    const secret = await secrets.of(accountId, trackerId);
    const settling = { row, webhooks: provider.webhooks, credentials: credentialsOf(row), secret, signal };
    const known = await hookStore.hooksOf(db, accountId, trackerId);
    const projects = await store.projectsInScope(db, accountId, trackerId);
    // Where trackers cannot reach us, there is to be none.
    const inScope = new Set(publicUrl === null ? [] : projects.map(({ external_id }) => external_id));
    for (const hook of known.filter(({ project_external_id }) => !inScope.has(project_external_id))) {
      if (await this.#isRemoved(settling, hook)) await hookStore.deleteHook(db, hook);
    }
    if (publicUrl === null) return;
    const url = webhookUrl(publicUrl, trackerId);
    for (const project of projects) {
      const hook = known.find(({ project_external_id }) => project_external_id === project.external_id);
      const { credentials } = settling;
      const wanted = { url, trackerUrl: row.url, credentials, secretVersion: secret.version, at: now() };
      if (isDue(hook, wanted) && !(await this.#make(settling, project, hook, url))) return;
    }
    await hookStore.forgetFormerSecret(db, accountId, trackerId);
  }

  /**
   * Has a project's webhook looked for, which should have told of something. One that is there and has told nothing for a
   * day counts as failed until it tells something.
   */
  async doubt(db: Db, place: IntakePlace): Promise<void> {
    const at = this.#options.now();
    const silentSince = new Date(at.getTime() - SILENT_AFTER_MS);
    if (!(await hookStore.noteMissed(db, place, { at, silentSince }))) return;
    await this.requestSettling(place.accountId, place.trackerId, db);
  }

  /** Has the webhooks of a tracker settled soon; asking twice is asking once. */
  async requestSettling(accountId: string, trackerId: string, db?: Db): Promise<void> {
    const payload = { account_id: accountId, tracker_id: trackerId };
    await this.#options.jobs.enqueue(settleWebhooks, payload, {
      ...settleWebhooksPlace(accountId, trackerId),
      ...(db === undefined ? {} : { db }),
    });
  }

  /** Makes one in place of the former; answers whether it makes sense to go on with the next project. */
  async #make(
    settling: Settling,
    project: store.KnownProject,
    former: hookStore.HookRow | undefined,
    url: string,
  ): Promise<boolean> {
    const { row, webhooks, signal } = settling;
    if (former && former.url !== url) {
      if (!(await this.#isRemoved(settling, former))) return false;
      await hookStore.deleteHook(this.#options.db, former);
    }
    const hook: hookStore.MadeHook = {
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
      await this.#keep({ ...hook, state: isRefused ? 'refused' : 'failed', problem: error.message });
      return isRefused || error.code === 'not_found' || error.code === 'invalid';
    }
    if (await this.#keep(hook)) return true;
    await this.#isRemoved(settling, hook);
    return false;
  }

  /** Stores what became of a webhook; false when the tracker is gone. */
  #keep(hook: hookStore.MadeHook): Promise<boolean> {
    return this.#options.db.transaction().execute(async (transaction) => {
      if (!(await holdTracker(transaction, hook.account_id, hook.tracker_id))) return false;
      await hookStore.saveHook(transaction, hook);
      return true;
    });
  }

  /** Takes a webhook away; false when that may work later. One at a former host of the tracker is out of our reach. */
  async #isRemoved({ row, webhooks, signal }: Settling, hook: hookStore.MadeHook): Promise<boolean> {
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

/** A project as the port names it; its name matters to no webhook. */
export function portProject(
  hook: { project_external_id: string; project_identifier: string },
  name = hook.project_identifier,
): ProviderProject {
  return { externalId: hook.project_external_id, identifier: hook.project_identifier, name };
}

/** Tells one connection from another without keeping it. */
function credentialsOf({ url, username, sealed_key }: OpenTracker['row']): Buffer {
  const hash = createHash('sha256').update(JSON.stringify([url, username]));
  return hash.update(sealed_key ?? '').digest();
}
