/**
 * The embedding model cannot be used. Whoever catches it goes on without meaning-based similarity and shows the
 * message, a sentence for a person, on the health page.
 */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly code = 'model_unavailable';
}
