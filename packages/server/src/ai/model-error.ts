import { AppError } from '../platform/errors.ts';

/** Why a language model gave no answer that can be used. */
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

/** A language model gave no answer that can be used. `detail` is a sentence for a person, without any key. */
export class ModelError extends AppError {
  readonly kind: ModelErrorKind;
  /** What the model asked for with a rate limit or an outage, in milliseconds. */
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

  /** A call that the account's plan does not allow; answered as `refusal` is. */
  static ofPlan(refusal: AppError): ModelError {
    return new ModelError('plan_limit', refusal.detail, { cause: refusal });
  }

  /** Whether the model would answer nothing else either just now. */
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

/** What the plan refuses is answered as the plan's refusal, all else as a failure of the model. */
function answerOf(kind: ModelErrorKind, detail: string, cause: unknown) {
  if (kind !== 'plan_limit' || !(cause instanceof AppError)) {
    return { code: `model_${kind}`, status: 502, detail, cause };
  }
  const { code, status, more, retryAfterSeconds } = cause;
  return { code, status, detail, more, retryAfterSeconds, cause };
}
