import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../api/session/api-error.ts';
import { createVerifier } from './verification.ts';

const refused = new ApiError({ status: 400, code: 'invalid_token', detail: 'No.' });
const unreachable = new ApiError({ status: 0, code: 'unreachable', detail: 'No answer.' });
const rateLimited = new ApiError({ status: 429, code: 'rate_limited', detail: 'Wait 5 seconds.' });

/**
 * Creates a verifier. The simulated server returns the given results in order; null means success.
 */
function verifierOf(...results: (Error | null)[]) {
  const sent: string[] = [];
  const verify = createVerifier(async (token) => {
    sent.push(token);
    const result = results.shift();
    if (result) throw result;
  });
  return { verify, sent };
}

describe('createVerifier', () => {
  test('sends a token once for repeated calls', async () => {
    const { verify, sent } = verifierOf(null, refused);
    const both = await Promise.all([verify('a'), verify('a')]);
    expect(both).toEqual([{ state: 'verified' }, { state: 'verified' }]);
    expect(await verify('a')).toEqual({ state: 'verified' });
    expect(sent).toEqual(['a']);
  });

  test('sends a different token separately', async () => {
    const { verify, sent } = verifierOf(null, refused);
    await verify('a');
    expect(await verify('b')).toMatchObject({ state: 'failed' });
    expect(sent).toEqual(['a', 'b']);
  });

  test('does not retry a token that the server rejected', async () => {
    const { verify, sent } = verifierOf(refused, null);
    const failed = { state: 'failed', reason: 'Invalid or expired verification token.', canRetry: false };
    expect(await verify('a')).toEqual(failed);
    expect(await verify('a')).toEqual(failed);
    expect(sent).toEqual(['a']);
  });

  test.each([unreachable, rateLimited])('retries after a temporary failure ($detail)', async (error) => {
    const { verify, sent } = verifierOf(error, null);
    expect(await verify('a')).toEqual({ state: 'failed', reason: error.detail, canRetry: true });
    expect(await verify('a')).toEqual({ state: 'verified' });
    expect(sent).toEqual(['a', 'a']);
  });
});
