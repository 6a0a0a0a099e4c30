export type FieldError = { path: string; message: string };

export type ApiErrorParts = {
  /** HTTP status; 0 without a response. */
  status: number;
  /** Stable code of the contract, or `unreachable` or `unexpected_answer` from this client. */
  code: string;
  /** Error sentence for the user. */
  detail: string;
  fields?: FieldError[];
  requestId?: string | null;
  /** From `Retry-After`; null if missing. */
  retryAfterSeconds?: number | null;
};

/** Error of a failed request. `message` equals `detail`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly fields: FieldError[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(parts: ApiErrorParts, options?: ErrorOptions) {
    super(parts.detail, options);
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.detail = parts.detail;
    this.fields = parts.fields ?? [];
    this.requestId = parts.requestId ?? null;
    this.retryAfterSeconds = parts.retryAfterSeconds ?? null;
  }
}

/** Returns the error sentence for the user; `fallback` for errors that have none. */
export function sentenceOf(error: unknown, fallback = 'An unknown error occurred.'): string {
  return error instanceof ApiError ? error.detail : fallback;
}

/**
 * Ignores `not_found` when deleting, since the resource is already gone. Throws any other error.
 */
export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
}
