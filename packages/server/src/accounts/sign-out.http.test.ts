import { tracker } from '@winnow/contract/tracker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { type Caller, call, registerCaller, signInCaller } from '../testing/caller.ts';
import { type LiveListener, listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

let database: TestDatabase;
let here: RunningWinnow;
let there: RunningWinnow;
beforeAll(async () => {
  database = await createTestDatabase();
  here = await startWinnow({ database });
  there = await startWinnow({ database });
});
afterAll(async () => {
  await here.close();
  await there.close();
  await database.drop();
});

/**
 * Causes an event and waits until all listeners have received it, to make sure that they are
 * connected.
 */
async function untilJoined(caller: Caller, listeners: LiveListener[]): Promise<void> {
  const { id } = await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await Promise.all(
    listeners.map((listener) =>
      listener.heard((event) => event.type === 'sync_progress' && event.tracker_id === id),
    ),
  );
}

test('signing out closes the sockets of that session immediately, on every node, and no others of the user', async () => {
  const phone = await registerCaller(here.origin);
  const laptop = await signInCaller(here.origin, phone.name, phone.password);
  const [leavingHere, leavingThere, staying] = await Promise.all([
    listenLive(here.origin, phone.tokens.access_token),
    listenLive(there.origin, phone.tokens.access_token),
    listenLive(there.origin, laptop.tokens.access_token),
  ]);
  await untilJoined(laptop, [leavingHere, leavingThere, staying]);

  const startedMs = performance.now();
  await call(here.origin, 'GET', '/logout', { headers: { 'x-refresh-token': phone.tokens.refresh_token } });
  expect(await Promise.all([leavingHere.closed, leavingThere.closed])).toEqual([4401, 4401]);
  // Less than the 30 seconds after which a session is checked again.
  expect(performance.now() - startedMs).toBeLessThan(20_000);

  const mark = staying.events.length;
  const [{ id } = { id: '' }] = await laptop.get('/trackers', tracker.array());
  await laptop.send('POST', `/trackers/${id}/sync`, undefined, tracker);
  await staying.heard((event) => staying.events.indexOf(event) >= mark);
  // Internal events between nodes must not reach browsers: a listener only accepts events of the
  // contract.
  expect(staying.events.map(({ type }): string => type)).not.toContain('session_revoked');
});
