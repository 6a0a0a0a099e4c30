/** An error response. A route throws it, and the emulator sends it in Jira's format. */
export class JiraError extends Error {
  override readonly name = 'JiraError';
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    errorMessages: string[],
    errors: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) {
    super(errorMessages.join(' '));
    this.status = status;
    this.body = { errorMessages, errors };
    this.headers = headers;
  }
}

export function issueNotFound(): JiraError {
  return new JiraError(404, ['Issue does not exist or you do not have permission to see it.']);
}

export function fieldError(field: string, message: string): JiraError {
  return new JiraError(400, [], { [field]: message });
}
