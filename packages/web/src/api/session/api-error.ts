export type FieldError = { path: string; message: string };

export type ApiErrorParts = {
  /** HTTP status. 0 if there was no response. */
  status: number;
  /** Stable error code of the contract. This client adds `unreachable` and `unexpected_answer`. */
  code: string;
  /** Error sentence to show to the user. */
  detail: string;
  fields?: FieldError[];
  requestId?: string | null;
  /** Seconds from the `Retry-After` header. Null if the header is missing. */
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

/**
 * Returns the error sentence to show to the user. Returns `fallback` for errors without a sentence.
 */
export function sentenceOf(error: unknown, fallback = 'An unknown error occurred.'): string {
  return error instanceof ApiError ? error.detail : fallback;
}

/**
 * Ignores the error `not_found` after a deletion, because the resource is already gone. Throws any
 * other error.
 */
export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
}
