import { AISDKError, APICallError } from 'ai';
import { upstreamMessage } from '../platform/errors.ts';
import { outboundErrorIn } from '../platform/outbound/outbound-errors.ts';
import { visible } from './fence.ts';
import { ModelError } from './model-error.ts';
import { redactSecret } from './redact-secret.ts';

/**
 * Converts the failure of a model call to a `ModelError`; returns other errors unchanged. `secret`
 * is redacted from the provider's message in every encoding. The library's error is dropped,
 * because it contains the prompt: issue texts must not reach the log.
 */
export function toModelError(error: unknown, model: string, secret: string, now: Date): unknown {
  if (error instanceof ModelError) return error;
  const outbound = outboundErrorIn(error);
  if (outbound !== null) {
    const kind = outbound.code === 'outbound_timeout' ? 'timeout' : 'unreachable';
    return new ModelError(kind, outbound.detail, { cause: outbound });
  }
  if (APICallError.isInstance(error)) return fromApiError(error, model, secret, now);
  // A `RangeError` means that the response JSON is nested too deeply to traverse.
  if (AISDKError.isInstance(error) || error instanceof RangeError) return invalidAnswer(model, error.name);
  return error;
}

/** Creates the error for a response outside the model's protocol or schema. */
export function invalidAnswer(model: string, problem: string): ModelError {
  const detail = `${model} answered, but not in the required format.`;
  return new ModelError('invalid_answer', detail, { cause: new Error(problem) });
}

function fromApiError(error: APICallError, model: string, secret: string, now: Date): ModelError {
  const status = error.statusCode ?? 0;
  if (status < 400) return invalidAnswer(model, error.name);
  const sentence = upstreamMessage(redactSecret(visible(error.message), secret));
  const options = {
    cause: new Error(`${error.name} ${status}`),
    waitMs: retryAfterMs(error.responseHeaders ?? {}, now),
  };
  if (status === 401 || status === 403) {
    return new ModelError('unauthorized', `${model} refuses the API key: ${sentence}`, options);
  }
  if (status === 429)
    return new ModelError(
      'rate_limited',
      `${model} has reached its rate limit or quota: ${sentence}`,
      options,
    );
  if (status >= 500 || status === 408) {
    return new ModelError('unavailable', `${model} is unavailable (${status}): ${sentence}`, options);
  }
  return new ModelError('rejected', `${model} rejects the request (${status}): ${sentence}`, options);
}

/**
 * Returns the wait in milliseconds that a `Retry-After` header asks for, as seconds or as a date.
 * Null if the header is missing or invalid.
 */
function retryAfterMs(headers: Record<string, string>, now: Date): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}
