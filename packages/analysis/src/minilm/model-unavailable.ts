/**
 * The embedding model cannot be used. Callers continue without semantic similarity and show the
 * message, written for users, on the health page.
 */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly code = 'model_unavailable';
}
