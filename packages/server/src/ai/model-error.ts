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
  | 'invalid_answer';

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
    super({ code: `model_${kind}`, status: 502, detail, cause: options.cause });
    this.kind = kind;
    this.waitMs = options.waitMs ?? null;
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
};
