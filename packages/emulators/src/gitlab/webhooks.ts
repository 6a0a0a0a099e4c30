import { randomUUID } from 'node:crypto';
import { Deliveries } from '../http/deliveries.ts';
import type { Project } from './model.ts';

/** Sends requests to the webhooks of a project. */
export class Webhooks {
  readonly deliveries = new Deliveries();
  readonly #instance: () => string;

  /** `instance` returns the URL of the emulated host. */
  constructor(instance: () => string) {
    this.#instance = instance;
  }

  /**
   * Sends an event to the project's webhooks.
   * @param flag notifies only webhooks with this flag, such as `issues_events`
   */
  send(project: Project, flag: string, event: string, payload: unknown): void {
    const uuid = randomUUID();
    for (const hook of project.hooks.filter(({ events }) => events.has(flag))) {
      this.deliveries.send({
        hookId: hook.id,
        url: hook.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'GitLab/18.5.0',
          'idempotency-key': randomUUID(),
          'x-gitlab-event': event,
          'x-gitlab-webhook-uuid': `hook-${hook.id}`,
          'x-gitlab-instance': this.#instance(),
          'x-gitlab-event-uuid': uuid,
          ...(hook.token === null ? {} : { 'x-gitlab-token': hook.token }),
        },
        body: JSON.stringify(payload),
      });
    }
  }
}
