import { INVALID_VERIFICATION_TOKEN } from '@winnow/contract/account';
import { isRefusal, reportableSentenceOf } from '../../access/failure.ts';

interface Failed {
  state: 'failed';
  /** Why, for a person. */
  reason: string;
  /** The token may still be good: asking again can help. */
  canRetry: boolean;
}

/** What came of a verification. */
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
 * Answers the function that verifies a token, over the one that sends it. A token works once, so it is sent once, however
 * often it is asked for; only one that the server could not answer is sent again when it is asked for later.
 */
export function createVerifier(
  send: (token: string) => Promise<void>,
): (token: string) => Promise<Verification> {
  const asked = new Map<string, Promise<Verification>>();

  async function verify(token: string): Promise<Verification> {
    try {
      await send(token);
      return { state: 'verified' };
    } catch (error) {
      const failed = failedBy(error);
      if (failed.canRetry) asked.delete(token);
      return failed;
    }
  }

  return (token) => {
    const answer = asked.get(token) ?? verify(token);
    asked.set(token, answer);
    return answer;
  };
}
