export type FieldError = { path: string; message: string };

export type ApiErrorParts = {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Stable code of the contract; `unreachable` and `unexpected_answer` are ours. */
  code: string;
  /** A sentence for a person. */
  detail: string;
  fields?: FieldError[];
  requestId?: string | null;
  /** From `Retry-After`; null when the server did not say. */
  retryAfterSeconds?: number | null;
};

/** What every failed call throws. `message` is the sentence for the person, too. */
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

/** The sentence to show for any thrown value; `fallback` when it carries none for a person. */
export function sentenceOf(error: unknown, fallback = 'An unknown error occurred.'): string {
  return error instanceof ApiError ? error.detail : fallback;
}

/** For a call that removes something: what is gone already is removed as well. Any other error is thrown again. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
}
