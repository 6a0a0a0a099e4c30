import { AISDKError, APICallError } from 'ai';
import { sentenceSaid } from '../platform/errors.ts';
import { outboundErrorIn } from '../platform/outbound/refusals.ts';
import { visible } from './fence.ts';
import { ModelError } from './model-error.ts';
import { withoutSecret } from './without-secret.ts';

/**
 * What a failed call to a model means. What is not the model's doing is given back as it is. `secret` is taken out of what
 * the other side said, however it is coded. The libraries' own errors hold the whole request, so none of them is kept as a cause: texts of issues
 * have no place in a log.
 */
export function modelErrorOf(error: unknown, model: string, secret: string, now: Date): unknown {
  if (error instanceof ModelError) return error;
  const outbound = outboundErrorIn(error);
  if (outbound !== null) {
    const kind = outbound.code === 'outbound_timeout' ? 'timeout' : 'unreachable';
    return new ModelError(kind, outbound.detail, { cause: outbound });
  }
  if (APICallError.isInstance(error)) return ofAnswer(error, model, secret, now);
  // What is nested too deep to be gone through is none of what was asked for.
  if (AISDKError.isInstance(error) || error instanceof RangeError) return notUnderstood(model, error.name);
  return error;
}

/** The model did not answer in its own protocol, or not with what was asked for. */
export function notUnderstood(model: string, problem: string): ModelError {
  const detail = `${model} did not answer in the form that was asked for.`;
  return new ModelError('invalid_answer', detail, { cause: new Error(problem) });
}

function ofAnswer(error: APICallError, model: string, secret: string, now: Date): ModelError {
  const status = error.statusCode ?? 0;
  if (status < 400) return notUnderstood(model, error.name);
  const said = sentenceSaid(withoutSecret(visible(error.message), secret));
  const options = {
    cause: new Error(`${error.name} ${status}`),
    waitMs: waitOf(error.responseHeaders ?? {}, now),
  };
  if (status === 401 || status === 403) {
    return new ModelError('unauthorized', `${model} refuses the API key: ${said}`, options);
  }
  if (status === 429) return new ModelError('rate_limited', `${model} is at its limit: ${said}`, options);
  if (status >= 500 || status === 408) {
    return new ModelError('unavailable', `${model} fails just now (${status}): ${said}`, options);
  }
  return new ModelError('rejected', `${model} does not take the request (${status}): ${said}`, options);
}

/** The time that `Retry-After` names, as seconds or as a date; null when it names none. */
function waitOf(headers: Record<string, string>, now: Date): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}
