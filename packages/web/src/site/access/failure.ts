import { ApiError, sentenceOf } from '../../api/session/api-error.ts';

/** What a person is told when something did not work. */
export interface Failure {
  title: string;
  detail?: string;
}

/** Whether the server read what was sent and refused it, as opposed to "try again later". */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** The sentence to show for any thrown value. What is the server's own fault ends with the id to report it by. */
export function reportableSentenceOf(error: unknown): string {
  const sentence = sentenceOf(error);
  const isReportable = error instanceof ApiError && error.status >= 500 && error.requestId !== null;
  return isReportable ? `${sentence} Request id: ${error.requestId}` : sentence;
}
