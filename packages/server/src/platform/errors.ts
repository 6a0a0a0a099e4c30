import { cutTo, firstLine } from './text.ts';

/** One field a person can correct: where it is (`a.b.0`) and what is wrong with it. */
export type FieldProblem = { path: string; message: string };

type AppErrorOptions = {
  /** Stable, `snake_case`, read by programs. */
  code: string;
  /** The HTTP status it is answered with. */
  status: number;
  /** A sentence for a person; holds nothing secret. */
  detail: string;
  fields?: FieldProblem[] | undefined;
  /** Further fields of the answer that the contract gives this code. */
  more?: Record<string, unknown> | undefined;
  /** When trying again makes sense; answered as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** What really happened, for the log only. */
  cause?: unknown;
};

/** An error with two audiences: `code` and `detail` for whoever called, `cause` for the log. */
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

/** 400: a request that makes no sense, or one refused for a reason that `detail` tells. */
export function badRequest(detail: string, code = 'bad_request', cause?: unknown): AppError {
  return new AppError({ code, status: 400, detail, cause });
}

/** 401: no credentials, or ones that no longer hold. */
export function unauthorized(detail = 'Sign in to continue.', code = 'unauthorized'): AppError {
  return new AppError({ code, status: 401, detail });
}

/** 403: a known thing that this caller may not do. Never for something of another account: that is {@link notFound}. */
export function forbidden(detail = 'You may not do this.', code = 'forbidden'): AppError {
  return new AppError({ code, status: 403, detail });
}

/** 404: not there, or another account's. It takes no words, so that both always read the same. */
export function notFound(): AppError {
  return new AppError({ code: 'not_found', status: 404, detail: 'Not found.' });
}

/** 405: the path exists, but not for this method. The response names those that it has in `Allow`. */
export function methodNotAllowed(method: string): AppError {
  return new AppError({
    code: 'method_not_allowed',
    status: 405,
    detail: `${method} cannot be used here. The header Allow names the methods that can.`,
  });
}

/** 409: the state of things does not allow it; `fields` when particular ones clash. */
export function conflict(code: string, detail: string, fields?: FieldProblem[]): AppError {
  return new AppError({ code, status: 409, detail, fields });
}

/** 413: more than the route takes; in bytes, unless the sentence says otherwise. */
export function tooLarge(detail = 'The request is too large.'): AppError {
  return new AppError({ code: 'too_large', status: 413, detail });
}

/** 415: a body in a form the route does not read. */
export function unsupportedMediaType(): AppError {
  return new AppError({
    code: 'unsupported_media_type',
    status: 415,
    detail: 'Send the body as uncompressed JSON with the header Content-Type: application/json.',
  });
}

/** So many problems are told at a time; the others once these are corrected. */
const MOST_PROBLEMS = 20;

/** 422: fields that do not hold; the sentence names them. */
export function invalid(fields: FieldProblem[]): AppError {
  return new AppError({
    code: 'invalid_fields',
    status: 422,
    detail: sentenceFor(fields),
    fields: fields.slice(0, MOST_PROBLEMS),
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

/** 502: a tracker or a model failed. Only the first line of what it said is shown, without control characters. */
export function upstreamFailed(said: string, cause?: unknown): AppError {
  return new AppError({ code: 'upstream_failed', status: 502, detail: sentenceSaid(said), cause });
}

/** 503: cannot serve just now, but will again. */
export function unavailable(
  detail = 'The service cannot answer just now. Try again in a few seconds.',
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

const LONGEST_LINE = 300;

/** What another side said, for a person: its first line, without control characters and not too long. */
export function sentenceSaid(text: string): string {
  return cutTo(firstLine(text), LONGEST_LINE, '…') || 'The other side failed without saying why.';
}
