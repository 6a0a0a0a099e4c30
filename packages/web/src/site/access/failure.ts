import { ApiError, sentenceOf } from '../../api/session/api-error.ts';

/** Texts of an error alert. */
export interface Failure {
  title: string;
  detail?: string;
}

/**
 * True if the server rejected the request with a 4xx status other than 429. A retry would fail
 * again.
 */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/**
 * Returns the sentence to show for any thrown value. The sentence for a server error (5xx) ends
 * with the request id.
 */
export function reportableSentenceOf(error: unknown): string {
  const sentence = sentenceOf(error);
  const isReportable = error instanceof ApiError && error.status >= 500 && error.requestId !== null;
  return isReportable ? `${sentence} Reference: ${error.requestId}` : sentence;
}
