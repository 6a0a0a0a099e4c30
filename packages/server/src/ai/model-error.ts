import { AppError, type AppErrorOptions } from '../platform/errors.ts';

/** Reason why a language model gave no usable answer. */
export type ModelErrorKind =
  | 'unauthorized'
  | 'rate_limited'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'rejected'
  | 'refused'
  | 'invalid_answer'
  | 'over_budget'
  | 'paused'
  | 'capped'
  | 'plan_limit';

/**
 * A language model gave no usable answer. `detail` is a sentence for users and never contains the
 * API key.
 */
export class ModelError extends AppError {
  readonly kind: ModelErrorKind;
  /** Wait that the model asked for after a rate limit or an outage, in milliseconds. */
  readonly waitMs: number | null;

  constructor(
    kind: ModelErrorKind,
    detail: string,
    options: { cause?: unknown; waitMs?: number | null } = {},
  ) {
    super(answerOf(kind, detail, options.cause));
    this.kind = kind;
    this.waitMs = options.waitMs ?? null;
  }

  /**
   * Creates the error for a call that the account's plan refuses. HTTP clients receive the response
   * of `refusal`.
   */
  static fromPlanLimit(refusal: AppError): ModelError {
    return new ModelError('plan_limit', refusal.detail, { cause: refusal });
  }

  /** True if other questions to this model would fail for the same reason. */
  get concernsModel(): boolean {
    return CONCERNS_MODEL[this.kind];
  }
}

const CONCERNS_MODEL: Record<ModelErrorKind, boolean> = {
  unauthorized: true,
  rate_limited: true,
  unavailable: true,
  unreachable: true,
  timeout: true,
  rejected: false,
  refused: false,
  invalid_answer: false,
  over_budget: false,
  paused: true,
  capped: true,
  plan_limit: true,
};

/**
 * Returns the HTTP error for a failure: the plan's refusal for a plan limit, otherwise a failure of
 * the model.
 */
function answerOf(kind: ModelErrorKind, detail: string, cause: unknown): AppErrorOptions {
  if (kind !== 'plan_limit' || !(cause instanceof AppError)) {
    return { code: `model_${kind}`, category: 'upstream_failed', detail, cause };
  }
  const { code, category, more, retryAfterSeconds } = cause;
  return { code, category, detail, more, retryAfterSeconds, cause };
}
