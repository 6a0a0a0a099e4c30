/**
 * Error: the embedding model cannot be used. Issues are then compared by words only. The message is
 * for operators and may contain a path.
 */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly code = 'model_unavailable';
  /** The message for users, without a path. */
  readonly notice: string;

  constructor(message: string, { notice = message, ...options }: ErrorOptions & { notice?: string } = {}) {
    super(message, options);
    this.notice = notice;
  }
}
