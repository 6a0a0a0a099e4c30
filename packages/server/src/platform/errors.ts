import { cutTo, firstLine } from './text.ts';

/** An invalid field: its path (`a.b.0`) and what is wrong with it. */
export type FieldProblem = { path: string; message: string };

type AppErrorOptions = {
  /** Stable `snake_case` code for programs. */
  code: string;
  /** HTTP status of the response. */
  status: number;
  /** A sentence for people, without secrets. */
  detail: string;
  fields?: FieldProblem[] | undefined;
  /** Further response fields that the contract defines for this code. */
  more?: Record<string, unknown> | undefined;
  /** Seconds after which a retry makes sense, sent as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** The underlying error, for the log only. */
  cause?: unknown;
};

/** An error for two audiences: `code` and `detail` for the caller, `cause` for the log. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  declare readonly fields?: FieldProblem[];
  declare readonly more?: Record<string, unknown>;
  declare readonly retryAfterSeconds?: number;

  constructor(options: AppErrorOptions) {
    super(options.detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.status = options.status;
    this.detail = options.detail;
    if (options.fields !== undefined) this.fields = options.fields;
    if (options.more !== undefined) this.more = options.more;
    if (options.retryAfterSeconds !== undefined) {
      this.retryAfterSeconds = Math.max(1, Math.ceil(options.retryAfterSeconds));
    }
  }
}

/** 400: an invalid request. `detail` states the reason. */
export function badRequest(detail: string, code = 'bad_request', cause?: unknown): AppError {
  return new AppError({ code, status: 400, detail, cause });
}

/** 401: no credentials, or invalid ones. */
export function unauthorized(detail = 'Sign in to continue.', code = 'unauthorized'): AppError {
  return new AppError({ code, status: 401, detail });
}

/**
 * 403: an action that this caller may not perform. Use {@link notFound} for objects of other
 * accounts.
 */
export function forbidden(detail = 'You do not have permission to do this.', code = 'forbidden'): AppError {
  return new AppError({ code, status: 403, detail });
}

/** 404: missing, or in another account. The text is fixed, so that both cases are identical. */
export function notFound(): AppError {
  return new AppError({ code: 'not_found', status: 404, detail: 'Not found.' });
}

/** 405: the path exists, but not for this method. The response lists its methods in `Allow`. */
export function methodNotAllowed(method: string): AppError {
  return new AppError({
    code: 'method_not_allowed',
    status: 405,
    detail: `The method ${method} is not allowed here. The header Allow lists the allowed methods.`,
  });
}

/** 409: the request conflicts with the current state. `fields` names conflicting fields, if any. */
export function conflict(code: string, detail: string, fields?: FieldProblem[]): AppError {
  return new AppError({ code, status: 409, detail, fields });
}

/** 413: larger than the route accepts. The limit is in bytes unless `detail` says otherwise. */
export function tooLarge(detail = 'The request is too large.'): AppError {
  return new AppError({ code: 'too_large', status: 413, detail });
}

/** 415: a body of a content type that the route does not read. */
export function unsupportedMediaType(): AppError {
  return new AppError({
    code: 'unsupported_media_type',
    status: 415,
    detail: 'Send the body as uncompressed JSON with the header Content-Type: application/json.',
  });
}

/** Maximum problems reported in one response. The rest are reported once these are corrected. */
const MAX_PROBLEMS = 20;

/** 422: invalid fields, named in `detail`. */
export function invalid(fields: FieldProblem[]): AppError {
  return new AppError({
    code: 'invalid_fields',
    status: 422,
    detail: sentenceFor(fields),
    fields: fields.slice(0, MAX_PROBLEMS),
  });
}

/** 429: too many calls in a short time. */
export function rateLimited(seconds: number): AppError {
  const wait = Math.max(1, Math.ceil(seconds));
  return new AppError({
    code: 'rate_limited',
    status: 429,
    detail: `Too many requests. Try again in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`,
    retryAfterSeconds: wait,
  });
}

/**
 * 502: a tracker or a model failed. Shows only the first line of its message, without control
 * characters.
 */
export function upstreamFailed(said: string, cause?: unknown): AppError {
  return new AppError({ code: 'upstream_failed', status: 502, detail: upstreamMessage(said), cause });
}

/** 503: temporarily unavailable. */
export function unavailable(
  detail = 'The service is temporarily unavailable. Try again in a few seconds.',
  retryAfterSeconds = 5,
  cause?: unknown,
): AppError {
  return new AppError({ code: 'unavailable', status: 503, detail, retryAfterSeconds, cause });
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
 * Returns a message of another system for display: its first line, shortened, without control
 * characters.
 */
export function upstreamMessage(text: string): string {
  return cutTo(firstLine(text), MAX_LINE_CHARS, '…') || 'The other side failed without giving a reason.';
}
