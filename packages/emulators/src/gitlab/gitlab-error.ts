/** An answer other than success, thrown by a route and written by the server as GitLab writes it. */
export class GitLabError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  /** `body` is a string for what GitLab sends as text. */
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(JSON.stringify(body));
    this.name = 'GitLabError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function unauthorized(): GitLabError {
  return new GitLabError(401, { message: '401 Unauthorized' });
}

/** What is said of a token that was good once. */
export function invalidToken(description: string): GitLabError {
  return new GitLabError(401, { error: 'invalid_token', error_description: description });
}

export function insufficientScope(scopes: readonly string[]): GitLabError {
  return new GitLabError(403, {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: scopes.join(' '),
  });
}

/** @param reason appended as in `403 Forbidden - reason` */
export function forbidden(reason?: string): GitLabError {
  return new GitLabError(403, { message: `403 Forbidden${reason === undefined ? '' : ` - ${reason}`}` });
}

/** What is not there and what may not be seen look alike; `what` is `Project`, `Issue`… */
export function notFound(what?: string): GitLabError {
  return new GitLabError(404, { message: `404 ${what === undefined ? '' : `${what} `}Not Found` });
}

/** A parameter of the wrong form, found before anything is looked up. */
export function invalidParameter(sentence: string): GitLabError {
  return new GitLabError(400, { error: sentence });
}

export function badRequest(message: unknown): GitLabError {
  return new GitLabError(400, { message });
}
