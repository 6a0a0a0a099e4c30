import { INVALID_VERIFICATION_TOKEN } from '@winnow/contract/account';
import { isRefusal, reportableSentenceOf } from '../../access/failure.ts';

interface Failed {
  state: 'failed';
  /** Reason to show to the user. */
  reason: string;
  /** True if the token may still be valid. A retry can then succeed. */
  canRetry: boolean;
}

/** Result of a verification. */
export type Verification = { state: 'verified' } | Failed;

export const MISSING_TOKEN: Failed = {
  state: 'failed',
  reason: 'No verification token found in the URL.',
  canRetry: false,
};

function failedBy(error: unknown): Failed {
  return isRefusal(error)
    ? { state: 'failed', reason: INVALID_VERIFICATION_TOKEN, canRetry: false }
    : { state: 'failed', reason: reportableSentenceOf(error), canRetry: true };
}

/**
 * Returns a function that verifies a token with `send`.
 * A token can be used only once, so repeated calls for a token share one request. The function
 * sends the token again only after a temporary failure.
 */
export function createVerifier(
  send: (token: string) => Promise<void>,
): (token: string) => Promise<Verification> {
  const requests = new Map<string, Promise<Verification>>();

  async function verify(token: string): Promise<Verification> {
    try {
      await send(token);
      return { state: 'verified' };
    } catch (error) {
      const failed = failedBy(error);
      if (failed.canRetry) requests.delete(token);
      return failed;
    }
  }

  return (token) => {
    const request = requests.get(token) ?? verify(token);
    requests.set(token, request);
    return request;
  };
}
