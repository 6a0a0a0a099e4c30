import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';

const TRIES = 50;
/** What a busy machine may do to a median; leaving out the hash or the look-up is a factor of ten and more. */
const NOISE = 1.5;
const KNOWN = 'ada';
const UNKNOWN = 'eve';

/**
 * Whether the time of an answer tells who has an account: signing in with a wrong password, and asking for a new one, for
 * somebody who is there and for somebody who is not. Throws when the medians differ by more than noise.
 */
export async function run(emit: Emit): Promise<void> {
  // Each call comes from an address of its own, so that none is refused for being one too many.
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
        // Whatever a call leaves behind, each of the two comes after either as often.
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
      if (ratio > NOISE || ratio < 1 / NOISE) {
        throw new Error(`The time of ${what} tells whether the account exists.`);
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
  if (answer.status !== status) throw new Error(`${path} answered ${answer.status}.`);
  return tookMs;
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
