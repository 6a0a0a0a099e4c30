import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { createVerifier } from './verification.ts';

const refused = new ApiError({ status: 400, code: 'invalid_token', detail: 'No.' });
const unreachable = new ApiError({ status: 0, code: 'unreachable', detail: 'No answer.' });
const hurried = new ApiError({ status: 429, code: 'rate_limited', detail: 'Wait 5 seconds.' });

/** A verifier in front of a server that gives the listed answers in turn; null is success. */
function verifierOf(...answers: (Error | null)[]) {
  const sent: string[] = [];
  const verify = createVerifier(async (token) => {
    sent.push(token);
    const answer = answers.shift();
    if (answer) throw answer;
  });
  return { verify, sent };
}

describe('verifying an address', () => {
  test('sends a token once, however often it is asked for', async () => {
    const { verify, sent } = verifierOf(null, refused);
    const both = await Promise.all([verify('a'), verify('a')]);
    expect(both).toEqual([{ state: 'verified' }, { state: 'verified' }]);
    expect(await verify('a')).toEqual({ state: 'verified' });
    expect(sent).toEqual(['a']);
  });

  test('sends another token by itself', async () => {
    const { verify, sent } = verifierOf(null, refused);
    await verify('a');
    expect(await verify('b')).toMatchObject({ state: 'failed' });
    expect(sent).toEqual(['a', 'b']);
  });

  test('with a token that the server refuses is over', async () => {
    const { verify, sent } = verifierOf(refused, null);
    const failed = { state: 'failed', reason: 'Invalid or expired verification token.', canRetry: false };
    expect(await verify('a')).toEqual(failed);
    expect(await verify('a')).toEqual(failed);
    expect(sent).toEqual(['a']);
  });

  test.each([unreachable, hurried])(
    'that could not be answered ($detail) can be tried again',
    async (error) => {
      const { verify, sent } = verifierOf(error, null);
      expect(await verify('a')).toEqual({ state: 'failed', reason: error.detail, canRetry: true });
      expect(await verify('a')).toEqual({ state: 'verified' });
      expect(sent).toEqual(['a', 'a']);
    },
  );
});
