import { createHash, randomBytes } from 'node:crypto';
import { badRequest, notFound } from '../platform/errors.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { TrackerError, type WebhookDelivery, type WebhookRequest } from '../trackers/provider.ts';
import { holdTracker } from '../trackers/service.ts';
import { STRANGERS_FORMAT, WEBHOOK_FORMATS } from './formats.ts';
import * as hookStore from './hook-store.ts';
import { readDelivered, readDeliveredPlace } from './job.ts';
import type { WebhookSecrets } from './secret.ts';
import * as store from './store.ts';
import type { EventStream } from './stream.ts';

/** What a tracker that knows its secret delivered. */
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
  /** Told when a tracker was heard whose webhooks did not count as working. */
  onHeard: (accountId: string, trackerId: string) => Promise<void>;
}

/** A body that comes without an id is the same delivery for so long. */
const SAME_BODY_MS = 10 * 60_000;
const LONGEST_ID = 200;

/** Takes in what trackers deliver. */
export class WebhookReceiver {
  readonly #options: ReceiverOptions;
  /** Nobody's secret. */
  readonly #stranger = randomBytes(32).toString('base64url');

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /**
   * Reads a delivery. Null for a tracker that is not there and for a caller who does not know its secret, 400 for what is
   * signed and cannot be read.
   */
  async prove(trackerId: string, request: WebhookRequest): Promise<ProvenDelivery | null> {
    const tracker = await store.findReceivingTracker(this.#options.db, trackerId);
    const delivery = this.#read(tracker, request);
    return tracker === undefined || delivery === null ? null : { tracker, delivery, body: request.body };
  }

  /**
   * Stores what a delivery tells of projects in scope, together with the job that reads it; a delivery that was taken in
   * before does nothing. 404 when the tracker was deleted meanwhile.
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
      STRANGERS_FORMAT.read(request, this.#stranger);
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

  /** Whether it told of anything in scope. */
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
          { ...readDeliveredPlace(trackerId, project_external_id), db: transaction },
        );
      }
      const inScope = projects.map(({ external_id }) => external_id);
      await hookStore.noteDelivered(transaction, accountId, trackerId, inScope);
      await store.noteEventOf(transaction, accountId, trackerId, at);
      return true;
    });
  }
}

/** What tells a delivery from every other one of its tracker. */
function idOf({ id }: WebhookDelivery, body: Buffer): string {
  if (id !== null && id.length <= LONGEST_ID) return `id ${id}`;
  return `hash ${createHash('sha256')
    .update(id ?? body)
    .digest('hex')}`;
}
