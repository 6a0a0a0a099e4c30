import { createHash } from 'node:crypto';
import { isId } from '@winnow/contract/primitives';
import { badRequest, notFound } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import {
  lockTrackerRow,
  TrackerError,
  type WebhookDelivery,
  type WebhookFormat,
  type WebhookRequest,
} from '../trackers/index.ts';
import * as hookStore from './hook-store.ts';
import { readDelivered, readDeliveredQueueKey } from './job.ts';
import * as store from './store.ts';
import type { EventStream } from './stream.ts';
import { WEBHOOK_FORMATS } from './webhook-formats.ts';
import type { WebhookSecrets } from './webhook-secret.ts';

/** A delivery whose sender has proven to know the tracker's secret. */
export interface VerifiedDelivery {
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

/**
 * Time within which two deliveries without an id count as the same delivery if their bodies are
 * equal.
 */
const SAME_BODY_MS = 10 * 60_000;
const MAX_ID_CHARS = 200;

/** Receives webhook deliveries of trackers. */
export class WebhookReceiver {
  readonly #options: ReceiverOptions;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /**
   * True if a tracker with this id can receive deliveries. Call it before reading the body. The
   * result reveals to callers which ids exist, but ids are random and cannot be guessed.
   */
  async receives(trackerId: string): Promise<boolean> {
    if (!isId(trackerId)) return false;
    const tracker = await store.findReceivingTracker(this.#options.db, trackerId);
    return tracker !== undefined && this.#means(tracker) !== null;
  }

  /**
   * Verifies and parses a delivery. Returns null if the tracker does not exist or the secret is
   * wrong.
   * @throws {AppError} `bad_request` for a delivery with the right secret but unreadable content
   */
  async verify(trackerId: string, request: WebhookRequest): Promise<VerifiedDelivery | null> {
    const tracker = await store.findReceivingTracker(this.#options.db, trackerId);
    if (tracker === undefined) return null;
    const delivery = this.#read(tracker, request);
    return delivery === null ? null : { tracker, delivery, body: request.body };
  }

  /**
   * Stores the events of a delivery that belong to projects in scope, and schedules jobs that read
   * their issues. A repeated delivery has no effect.
   * @throws {AppError} `not_found` if the tracker was deleted meanwhile
   */
  async take({ tracker, delivery, body }: VerifiedDelivery): Promise<void> {
    const isHeard = await this.#store(tracker, delivery, body);
    if (isHeard && tracker.webhook_state !== 'active') {
      await this.#options.onHeard(tracker.account_id, tracker.id);
    }
  }

  /**
   * Returns the webhook format of a tracker and the secrets it accepts. Returns null if the tracker
   * has no webhooks or no secret.
   */
  #means(tracker: store.ReceivingTracker): { format: WebhookFormat; secrets: string[] } | null {
    const format = WEBHOOK_FORMATS[tracker.tracker_type];
    const secrets = format === null ? [] : this.#options.secrets.accepted(tracker);
    return format === null || secrets.length === 0 ? null : { format, secrets };
  }

  #read(tracker: store.ReceivingTracker, request: WebhookRequest): WebhookDelivery | null {
    const means = this.#means(tracker);
    if (means === null) return null;
    const { format, secrets } = means;
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

  /**
   * Stores the delivery and its events. Returns true if it contained events of projects in scope.
   */
  async #store(tracker: store.ReceivingTracker, delivery: WebhookDelivery, body: Buffer): Promise<boolean> {
    const { db, stream, jobs, now } = this.#options;
    const { account_id: accountId, id: trackerId } = tracker;
    const at = now();
    return db.transaction().execute(async (transaction) => {
      if (!(await lockTrackerRow(transaction, accountId, trackerId))) throw notFound();
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
        const occurredAt = event.occurredAt ?? at;
        return projectId === undefined ? [] : [{ ...event, project, projectId, occurredAt }];
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

/** Returns the key that identifies a delivery among all deliveries of its tracker. */
function idOf({ id }: WebhookDelivery, body: Buffer): string {
  if (id !== null && id.length <= MAX_ID_CHARS) return `id ${id}`;
  return `hash ${createHash('sha256')
    .update(id ?? body)
    .digest('hex')}`;
}
