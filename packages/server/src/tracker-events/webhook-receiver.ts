import { createHash, randomBytes } from 'node:crypto';
import { badRequest, notFound } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { TrackerError, type WebhookDelivery, type WebhookRequest } from '../trackers/provider.ts';
import { holdTracker } from '../trackers/service.ts';
import * as hookStore from './hook-store.ts';
import { readDelivered, readDeliveredQueueKey } from './job.ts';
import * as store from './store.ts';
import type { EventStream } from './stream.ts';
import { UNKNOWN_TRACKER_FORMAT, WEBHOOK_FORMATS } from './webhook-formats.ts';
import type { WebhookSecrets } from './webhook-secret.ts';

/** A delivery whose sender proved knowledge of the tracker's secret. */
export interface ProvenDelivery {
  tracker: store.ReceivingTracker;
  delivery: WebhookDelivery;
  body: Buffer;
}

export interface ReceiverOptions {
  db: Db;
  secrets: WebhookSecrets;
  stream: EventStream;
  jobs: Jobs;
  now: () => Date;
  /** Called after a delivery to a tracker whose webhooks did not count as active. */
  onHeard: (accountId: string, trackerId: string) => Promise<void>;
}

/** Deliveries without an id count as repeated if the same body arrives within this time. */
const SAME_BODY_MS = 10 * 60_000;
const MAX_ID_CHARS = 200;

/** Receives webhook deliveries. */
export class WebhookReceiver {
  readonly #options: ReceiverOptions;
  /** Random secret that no one knows, for requests to unknown trackers. */
  readonly #unknownSecret = randomBytes(32).toString('base64url');

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /**
   * Verifies and parses a delivery. Returns null if the tracker does not exist or the secret is
   * wrong.
   * @throws {AppError} 400 for a valid signature over unreadable content
   */
  async prove(trackerId: string, request: WebhookRequest): Promise<ProvenDelivery | null> {
    const tracker = await store.findReceivingTracker(this.#options.db, trackerId);
    const delivery = this.#read(tracker, request);
    return tracker === undefined || delivery === null ? null : { tracker, delivery, body: request.body };
  }

  /**
   * Stores a delivery's events of projects in scope, with the jobs that read them. A repeated
   * delivery has no effect.
   * @throws {AppError} 404 if the tracker was deleted meanwhile
   */
  async take({ tracker, delivery, body }: ProvenDelivery): Promise<void> {
    const isHeard = await this.#store(tracker, delivery, body);
    if (isHeard && tracker.webhook_state !== 'active') {
      await this.#options.onHeard(tracker.account_id, tracker.id);
    }
  }

  #read(tracker: store.ReceivingTracker | undefined, request: WebhookRequest): WebhookDelivery | null {
    const format = tracker ? WEBHOOK_FORMATS[tracker.tracker_type] : null;
    const secrets = tracker && format ? this.#options.secrets.accepted(tracker) : [];
    if (format === null || secrets.length === 0) {
      UNKNOWN_TRACKER_FORMAT.read(request, this.#unknownSecret);
      return null;
    }
    try {
      for (const secret of secrets) {
        const delivery = format.read(request, secret);
        if (delivery !== null) return delivery;
      }
      return null;
    } catch (error) {
      if (error instanceof TrackerError) throw badRequest(error.message, 'malformed', error);
      throw error;
    }
  }

  /** Returns true if the delivery contained events of projects in scope. */
  async #store(tracker: store.ReceivingTracker, delivery: WebhookDelivery, body: Buffer): Promise<boolean> {
    const { db, stream, jobs, now } = this.#options;
    const { account_id: accountId, id: trackerId } = tracker;
    const at = now();
    return db.transaction().execute(async (transaction) => {
      if (!(await holdTracker(transaction, accountId, trackerId))) throw notFound();
      const isNew = await store.noteDelivery(
        transaction,
        {
          account_id: accountId,
          tracker_id: trackerId,
          delivery_id: idOf(delivery, body),
          received_at: at,
        },
        delivery.id === null ? new Date(at.getTime() - SAME_BODY_MS) : null,
      );
      if (!isNew || delivery.events.length === 0) return false;
      const named = new Map(delivery.events.map(({ project }) => [project.externalId, project]));
      const projects = await store.projectsInScope(transaction, accountId, trackerId, [...named.keys()]);
      const ids = new Map(projects.map(({ id, external_id }) => [external_id, id]));
      const events = delivery.events.flatMap(({ project, ...event }) => {
        const projectId = ids.get(project.externalId);
        return projectId === undefined ? [] : [{ ...event, project, projectId }];
      });
      if (events.length === 0) return false;
      await stream.appendDelivered(transaction, accountId, events);
      const ofIssues = events.filter(({ issueExternalId }) => issueExternalId !== null);
      const toRead = new Map(ofIssues.map(({ project }) => [project.externalId, project.identifier]));
      for (const [project_external_id, project_identifier] of toRead) {
        await jobs.enqueue(
          readDelivered,
          { account_id: accountId, tracker_id: trackerId, project_external_id, project_identifier },
          { ...readDeliveredQueueKey(trackerId, project_external_id), db: transaction },
        );
      }
      const inScope = projects.map(({ external_id }) => external_id);
      await hookStore.noteDelivered(transaction, accountId, trackerId, inScope);
      await store.noteEventOf(transaction, accountId, trackerId, at);
      return true;
    });
  }
}

/** Returns the key that identifies a delivery within its tracker. */
function idOf({ id }: WebhookDelivery, body: Buffer): string {
  if (id !== null && id.length <= MAX_ID_CHARS) return `id ${id}`;
  return `hash ${createHash('sha256')
    .update(id ?? body)
    .digest('hex')}`;
}
