import type { Db } from '../schema/tables.ts';
import { ModelError, type ModelErrorKind } from './model-error.ts';
import * as store from './model-health-store.ts';

export type { HealthRow } from './model-health-store.ts';

/**
 * Consecutive failures after which a model is paused. Rejected keys have a lower limit, because
 * only a user can replace a key.
 */
const PAUSE_AFTER = 5;
const PAUSE_AFTER_REFUSED_KEYS = 3;
/** Length of a pause after an outage or rate limit. Then one call tries the model again. */
const PROBE_AFTER_MS = 15 * 60_000;

/**
 * Effect of each failure. `ignored`: none. `passing`: the pause ends by itself. `lasting`: only a
 * user can end the pause.
 */
const FAILURES: Record<ModelErrorKind, 'ignored' | 'passing' | 'lasting'> = {
  unauthorized: 'lasting',
  rejected: 'lasting',
  refused: 'lasting',
  invalid_answer: 'lasting',
  rate_limited: 'passing',
  unavailable: 'passing',
  unreachable: 'passing',
  timeout: 'passing',
  over_budget: 'ignored',
  plan_limit: 'ignored',
  paused: 'ignored',
  capped: 'ignored',
};

export interface ModelHealthOptions {
  db: Db;
  now: () => Date;
  /** Called when a model begins to fail, is paused, or works again. */
  onChanged: (accountId: string) => Promise<void>;
}

/**
 * Records the outcome of model calls and pauses a model that keeps failing. The state is shared by
 * all processes.
 */
export class ModelHealth {
  readonly #options: ModelHealthOptions;

  constructor(options: ModelHealthOptions) {
    this.#options = options;
  }

  /**
   * Throws if the model is paused. After `paused_until`, lets a single call through to try the
   * model.
   * @throws {ModelError} `paused`
   */
  async expectRunning(accountId: string, model: { id: string; name: string }): Promise<void> {
    const { db, now } = this.#options;
    const health = await store.findHealth(db, accountId, model.id);
    if (!health || health.paused_at === null) return;
    const at = now();
    const next = new Date(at.getTime() + PROBE_AFTER_MS);
    if (canProbe(health, at) && (await store.claimProbe(db, accountId, model.id, { now: at, next }))) return;
    throw new ModelError('paused', pausedText(model.name, health), {
      waitMs: health.paused_until === null ? null : Math.max(0, health.paused_until.getTime() - at.getTime()),
    });
  }

  /** Records a successful call. It resets the failure count and ends a pause. */
  async noteSuccess(accountId: string, modelId: string): Promise<void> {
    const { db, now, onChanged } = this.#options;
    const { wasFailing } = await store.saveSuccess(db, accountId, modelId, now());
    if (wasFailing) await onChanged(accountId);
  }

  /** Records a failed call. Pauses the model after too many consecutive failures. */
  async noteFailure(accountId: string, modelId: string, error: ModelError, startedAt: Date): Promise<void> {
    const { db, now, onChanged } = this.#options;
    const meaning = FAILURES[error.kind];
    if (meaning === 'ignored') return;
    const at = now();
    const saved = await store.saveFailure(db, accountId, modelId, { startedAt, at, detail: error.detail });
    if (!saved?.isCounted) return;
    const limit = error.kind === 'unauthorized' ? PAUSE_AFTER_REFUSED_KEYS : PAUSE_AFTER;
    const pauses = !saved.isPaused && saved.failuresInRow >= limit;
    if (pauses) {
      const until = meaning === 'passing' ? new Date(at.getTime() + PROBE_AFTER_MS) : null;
      await store.savePause(db, accountId, modelId, { paused_at: at, paused_until: until });
    }
    if (pauses || saved.failuresInRow === 1) await onChanged(accountId);
  }

  /** Deletes the health of a model whose connection has changed. */
  async forget(accountId: string, modelId: string): Promise<void> {
    await store.deleteHealth(this.#options.db, accountId, modelId);
    await this.#options.onChanged(accountId);
  }
}

/** True if a paused model may be tried again. */
export function canProbe({ paused_until }: Pick<store.HealthRow, 'paused_until'>, now: Date): boolean {
  return paused_until !== null && paused_until <= now;
}

function pausedText(
  name: string,
  { failures_in_row: failures, last_failure, paused_until }: store.HealthRow,
) {
  const why = `${name} is paused after ${failures} failures in a row. The last one: ${last_failure ?? 'unknown.'}`;
  const resume =
    paused_until === null
      ? 'Open Settings, Models and choose "Try again".'
      : `It is tried again after ${paused_until.toISOString().slice(11, 16)} UTC, or with "Try again" in Settings, Models.`;
  return `${why} ${resume}`;
}
