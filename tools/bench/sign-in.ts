import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';

const TRIES = 50;
/**
 * Maximum ratio of medians that counts as noise. A server that skips the password hash or the
 * look-up of the user has a ratio of ten or more.
 */
const MAX_NOISE_RATIO = 1.5;
const KNOWN = 'ada';
const UNKNOWN = 'eve';

/**
 * Checks that response times do not reveal which accounts exist.
 * Compares a known user with an unknown user: signing in with a wrong password, and requesting a
 * password reset. Throws if the medians differ by more than noise.
 */
export async function run(emit: Emit): Promise<void> {
  // With `TRUST_PROXY`, each call can state a different IP address, so that no rate limit applies.
  const server = await startServer({ env: { TRUST_PROXY: '1' } });
  try {
    await registerAndSignIn(server.url, KNOWN);
    const signIn = (username: string) => ({
      path: 'token/json',
      body: { username, password: 'a wrong one' },
    });
    const forgot = (name: string) => ({ path: 'forgot-password', body: { email: `${name}@example.com` } });
    for (const [what, call, status] of [
      ['a wrong sign-in', signIn, 401],
      ['asking for a new password', forgot, 200],
    ] as const) {
      const times = { [KNOWN]: [] as number[], [UNKNOWN]: [] as number[] };
      for (let index = 0; index < TRIES; index += 1) {
        // Alternates the order, so that each user is measured first equally often.
        const names = [KNOWN, UNKNOWN, UNKNOWN, KNOWN] as const;
        for (const name of names) times[name].push(await timeOf(server.url, call(name), status));
      }
      const [ofKnown, ofUnknown] = [median(times[KNOWN]), median(times[UNKNOWN])];
      const ratio = ofUnknown / ofKnown;
      emit({
        name: `${what}, known, median`,
        value: round(ofKnown),
        unit: 'ms',
        detail: { tries: 2 * TRIES },
      });
      emit({
        name: `${what}, unknown, median`,
        value: round(ofUnknown),
        unit: 'ms',
        detail: { tries: 2 * TRIES },
      });
      emit({ name: `${what}, unknown to known`, value: round(ratio), unit: 'ratio' });
      if (ratio > MAX_NOISE_RATIO || ratio < 1 / MAX_NOISE_RATIO) {
        throw new Error(`The time of ${what} reveals whether the account exists.`);
      }
    }
  } finally {
    await server.remove();
  }
}

let calls = 0;

async function timeOf(url: string, { path, body }: { path: string; body: unknown }, status: number) {
  calls += 1;
  const startedMs = performance.now();
  const answer = await fetch(`${url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `198.51.${calls >> 8}.${calls & 255}`,
    },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  const tookMs = performance.now() - startedMs;
  if (answer.status !== status) throw new Error(`${path} returned ${answer.status}.`);
  return tookMs;
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
