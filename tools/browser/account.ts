import { randomBytes } from 'node:crypto';
import { issuesCount } from '@winnow/contract/issue';
import { type Tracker, type TrackerCreate, tracker } from '@winnow/contract/tracker';
import { type Api, eventually, PASSWORD, registerAndSignIn } from '../product/api.ts';

/** Maximum time in milliseconds to sync and compare a backlog on a busy machine. */
const COMPARED_WITHIN_MS = 60_000;

/** A new user, and an API client signed in as that user. */
export interface Account {
  username: string;
  email: string;
  password: string;
  api: Api;
}

/** Returns a unique username. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

/** Registers a new user and signs in. */
export async function newAccount(url: string, username = freshName('ada')): Promise<Account> {
  const api = await registerAndSignIn(url, username);
  return { username, email: `${username}@example.com`, password: PASSWORD, api };
}

/** Returns the browser storage of a user who is signed in. */
export function signedInState(url: string, { accessToken, refreshToken }: Api) {
  const localStorage = [
    { name: 'accessToken', value: accessToken },
    { name: 'refreshToken', value: refreshToken },
  ];
  return { cookies: [], origins: [{ origin: url, localStorage }] };
}

/** Connects a tracker over the API. */
export function connect({ api }: Account, request: TrackerCreate): Promise<Tracker> {
  return api.send('POST', '/trackers', request, tracker);
}

/** Waits until every issue of the account is synced and compared. */
export async function whenCompared(
  { api }: Pick<Account, 'api'>,
  waiting: { timeoutMs: number; everyMs?: number } = { timeoutMs: COMPARED_WITHIN_MS },
): Promise<void> {
  await eventually(async () => {
    const trackers = await api.get('/trackers', tracker.array());
    if (!trackers.every(({ sync }) => sync.state === 'idle' && sync.last_finished_at !== null)) return null;
    const { total_issues, total_processed } = await api.get('/issues-count', issuesCount);
    return total_issues > 0 && total_processed >= total_issues ? true : null;
  }, waiting);
}

/** Adds the sample backlog to an account, and waits until its pairs are stored. */
export async function fillWithSample(account: Account): Promise<void> {
  await connect(account, { name: 'Sample backlog', type: 'sample' });
  await whenCompared(account);
}
