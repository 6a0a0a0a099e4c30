/** An error response. A route throws it, and the emulator sends it in GitLab's format. */
export class GitLabError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  /** A string `body` is sent as plain text, and any other value as JSON. */
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

/** Returns the error for an expired or revoked token. */
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

/**
 * Returns a response with status 403.
 * @param reason is appended to the message, as in `403 Forbidden - reason`
 */
export function forbidden(reason?: string): GitLabError {
  return new GitLabError(403, { message: `403 Forbidden${reason === undefined ? '' : ` - ${reason}`}` });
}

/**
 * Returns the 404 for a resource that does not exist. A resource that the caller cannot see gets
 * the same response. `what` names the resource, such as `Project` or `Issue`.
 */
export function notFound(what?: string): GitLabError {
  return new GitLabError(404, { message: `404 ${what === undefined ? '' : `${what} `}Not Found` });
}

/**
 * Returns the error for a malformed parameter. Routes throw it before they search for any resource.
 */
export function invalidParameter(sentence: string): GitLabError {
  return new GitLabError(400, { error: sentence });
}

export function badRequest(message: unknown): GitLabError {
  return new GitLabError(400, { message });
}
