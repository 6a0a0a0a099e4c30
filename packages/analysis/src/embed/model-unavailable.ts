/**
 * The embedding model cannot be used. Callers continue without semantic similarity. The message is
 * written for operators, and may name a path.
 */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly code = 'model_unavailable';
  /** The message for users: without a path. */
  readonly notice: string;

  constructor(message: string, { notice = message, ...options }: ErrorOptions & { notice?: string } = {}) {
    super(message, options);
    this.notice = notice;
  }
}
