const docs = 'https://docs.github.com/rest';

/** An entry of the field `errors` in a response with status 422. */
export interface FieldError {
  resource: string;
  code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'unprocessable' | 'custom';
  field?: string;
  message?: string;
  value?: string | string[];
}

/** An error response. A route throws it, and the emulator sends it in GitHub's format. */
export class GitHubError extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'GitHubError';
    this.status = status;
    this.body = { message, documentation_url: docs, ...extra, status: String(status) };
    this.headers = headers;
  }
}

export function badCredentials(): GitHubError {
  return new GitHubError(401, 'Bad credentials');
}

export function requiresAuthentication(): GitHubError {
  return new GitHubError(401, 'Requires authentication');
}

/**
 * Returns the 404 for a resource that does not exist. A resource that the caller cannot see gets
 * the same response.
 */
export function notFound(): GitHubError {
  return new GitHubError(404, 'Not Found');
}

export function forbidden(message: string): GitHubError {
  return new GitHubError(403, message);
}

/** Returns the response that redirects to the current URL of a resource. */
export function moved(url: string, status: 301 | 307 = 301): GitHubError {
  return new GitHubError(status, 'Moved Permanently', { url }, { location: url });
}

/** Returns the 403 for a fine-grained token without the permission that the route requires. */
export function notAccessibleByToken(): GitHubError {
  return forbidden('Resource not accessible by personal access token');
}

export function gone(message: string): GitHubError {
  return new GitHubError(410, message, { documentation_url: 'https://docs.github.com/v3/issues/' });
}

export function validationFailed(...errors: FieldError[]): GitHubError {
  return new GitHubError(422, 'Validation Failed', { errors });
}

/** Returns the 422 for a malformed body. Routes throw it before they search for any resource. */
export function invalidRequest(detail: string): GitHubError {
  return new GitHubError(422, `Invalid request.\n\n${detail}`);
}
