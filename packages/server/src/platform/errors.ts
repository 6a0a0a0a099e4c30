import { firstLine, truncate } from './text.ts';

/** An invalid field of a request: its path (`a.b.0`) and a sentence about the problem. */
export type FieldProblem = { path: string; message: string };

/** Category of a failure. The HTTP layer derives the status of the response from it. */
export type ErrorCategory =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'upgrade_required'
  | 'rate_limited'
  | 'aborted'
  | 'internal'
  | 'upstream_failed'
  | 'unavailable';

/** Categories of failures that the server or a dependency caused, not the caller. */
const SERVER_SIDE_CATEGORIES: ReadonlySet<ErrorCategory> = new Set([
  'internal',
  'upstream_failed',
  'unavailable',
]);

export type AppErrorOptions = {
  /** Stable `snake_case` code that client programs can rely on. */
  code: string;
  category: ErrorCategory;
  /** A sentence for users, without secrets. */
  detail: string;
  fields?: FieldProblem[] | undefined;
  /** Additional response fields that the contract defines for this error code. */
  more?: Record<string, unknown> | undefined;
  /** Recommended delay before a retry, sent as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** The underlying error, for the log only. */
  cause?: unknown;
};

/** An error for two audiences: `code` and `detail` for the caller, `cause` for the log. */
export class AppError extends Error {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly detail: string;
  declare readonly fields?: FieldProblem[];
  declare readonly more?: Record<string, unknown>;
  declare readonly retryAfterSeconds?: number;

  constructor(options: AppErrorOptions) {
    super(options.detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.category = options.category;
    this.detail = options.detail;
    if (options.fields !== undefined) this.fields = options.fields;
    if (options.more !== undefined) this.more = options.more;
    if (options.retryAfterSeconds !== undefined) {
      this.retryAfterSeconds = Math.max(1, Math.ceil(options.retryAfterSeconds));
    }
  }

  /** True if the caller caused the error, for example by an invalid request. */
  get isCallerError(): boolean {
    return !SERVER_SIDE_CATEGORIES.has(this.category);
  }
}

/** Creates the error for an invalid request. `detail` states the reason. */
export function badRequest(detail: string, code = 'bad_request', cause?: unknown): AppError {
  return new AppError({ code, category: 'bad_request', detail, cause });
}

/** Creates the error for a request with missing or invalid credentials. */
export function unauthorized(detail = 'Sign in to continue.', code = 'unauthorized'): AppError {
  return new AppError({ code, category: 'unauthorized', detail });
}

/**
 * Creates the error for an action that the caller may not perform. Use {@link notFound} for objects
 * of other accounts.
 */
export function forbidden(detail = 'You do not have permission to do this.', code = 'forbidden'): AppError {
  return new AppError({ code, category: 'forbidden', detail });
}

/**
 * Creates the error for an object that does not exist or belongs to another account. The text is
 * the same in both cases, so that callers cannot find out which objects exist.
 */
export function notFound(detail = 'Not found.'): AppError {
  return new AppError({ code: 'not_found', category: 'not_found', detail });
}

/**
 * Creates the error for a path that does not support the request's method. The header `Allow` lists
 * the supported methods.
 */
export function methodNotAllowed(method: string): AppError {
  return new AppError({
    code: 'method_not_allowed',
    category: 'method_not_allowed',
    detail: `The method ${method} is not allowed here. The header Allow lists the allowed methods.`,
  });
}

/**
 * Creates the error for a request that conflicts with the current state. `fields` lists the
 * conflicting fields, if any.
 */
export function conflict(code: string, detail: string, fields?: FieldProblem[]): AppError {
  return new AppError({ code, category: 'conflict', detail, fields });
}

/**
 * Creates the error for a request body that exceeds the route's limit. The limit is in bytes,
 * unless `detail` states another unit.
 */
export function tooLarge(detail = 'The request is too large.'): AppError {
  return new AppError({ code: 'too_large', category: 'too_large', detail });
}

/** Creates the error for a body whose content type the route does not support. */
export function unsupportedMediaType(): AppError {
  return new AppError({
    code: 'unsupported_media_type',
    category: 'unsupported_media_type',
    detail: 'Send the body as uncompressed JSON with the header Content-Type: application/json.',
  });
}

/**
 * Maximum problems reported in one response. After correcting them, the caller learns of the
 * others.
 */
const MAX_PROBLEMS = 20;

/** Creates the error for invalid fields. `detail` lists their paths. */
export function invalid(fields: FieldProblem[]): AppError {
  return new AppError({
    code: 'invalid_fields',
    category: 'invalid',
    detail: sentenceFor(fields),
    fields: fields.slice(0, MAX_PROBLEMS),
  });
}

/** Creates the error for too many calls in a short time. */
export function rateLimited(seconds: number): AppError {
  const wait = Math.max(1, Math.ceil(seconds));
  return new AppError({
    code: 'rate_limited',
    category: 'rate_limited',
    detail: `Too many requests. Try again in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`,
    retryAfterSeconds: wait,
  });
}

/**
 * Creates the error for a tracker or model provider that failed. Shows only the first line of its
 * error message, without control characters.
 */
export function upstreamFailed(said: string, cause?: unknown): AppError {
  return new AppError({
    code: 'upstream_failed',
    category: 'upstream_failed',
    detail: upstreamMessage(said),
    cause,
  });
}

/** Creates the error for a server or dependency that is temporarily unavailable. */
export function unavailable(
  detail = 'The service is temporarily unavailable. Try again in a few seconds.',
  retryAfterSeconds = 5,
  cause?: unknown,
): AppError {
  return new AppError({ code: 'unavailable', category: 'unavailable', detail, retryAfterSeconds, cause });
}

function sentenceFor(fields: FieldProblem[]): string {
  const [only] = fields;
  if (only === undefined) return 'The request is not valid.';
  if (fields.length === 1) return only.path === '' ? only.message : `${only.path}: ${only.message}`;
  const names = [...new Set(fields.map((field) => field.path || 'the request itself'))];
  return `These fields are not valid: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' and more' : ''}.`;
}

const MAX_LINE_CHARS = 300;

/**
 * Returns an error message of another system for display: its first line, shortened, without
 * control characters.
 */
export function upstreamMessage(text: string): string {
  return (
    truncate(firstLine(text), MAX_LINE_CHARS, '…') || 'The remote system failed without giving a reason.'
  );
}
