import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmulatedHost, Exchange } from './host.ts';
import { plainClient } from './plain-client.ts';
import { type ServedEmulator, serveEmulator } from './start.ts';

interface Tired {
  kind: 'tired';
  seconds: number;
}

/** Starts a host that stores notes and returns them to all callers. */
function notesHost(): EmulatedHost<Tired> & { notes: unknown[] } {
  const notes: unknown[] = [];
  return {
    notes,
    name: 'notes',
    now: () => Date.parse('2024-06-01T12:00:00.789Z'),
    answer: ({ method, url, body, headers }) => {
      if (method === 'POST') notes.push(JSON.parse(body));
      const login = headers.authorization === undefined ? null : 'ada';
      const known = method === 'GET' || method === 'POST';
      return {
        status: known ? 200 : 404,
        headers: { 'content-type': 'application/json', etag: '"1"', 'x-notes': String(notes.length) },
        body: JSON.stringify(known ? { notes, padding: 'x'.repeat(2000) } : { error: 'unknown' }),
        login,
        path: url.split('?')[0] ?? '',
      };
    },
    faultBody: (status) => ({ error: `fault ${status}` }),
    ownFaults: {
      kinds: ['tired'],
      read: ({ seconds }) => ({ kind: 'tired', seconds: Number(seconds) }),
      answer: ({ seconds }, usual) => ({
        ...usual,
        status: 429,
        headers: { ...usual.headers, 'retry-after': String(seconds) },
      }),
    },
    snapshot: (query) => ({ notes, wanted: query.get('wanted') }),
    userActions: {
      scribbles: (input) => {
        for (let n = 0; n < input.number('times'); n += 1) notes.push(input.text('text', 'Scribble'));
        return notes.length;
      },
    },
    page: (pathname) => (pathname === '/page' ? '<h1>Notes</h1>' : null),
  };
}

let host: ReturnType<typeof notesHost>;
let served: ServedEmulator<Tired>;
let call: ReturnType<typeof plainClient>;
const exchanges: Exchange[] = [];

beforeEach(async () => {
  host = notesHost();
  exchanges.length = 0;
  served = await serveEmulator(host, { onExchange: (exchange) => exchanges.push(exchange) });
  call = plainClient(served.url, 'secret-token');
});
afterEach(() => served.close());

async function statuses(count: number, path = '/notes'): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) found.push((await call('GET', path)).status);
  return found;
}

describe('fault conditions', () => {
  test('a fault matches a method and path, skips requests, and has a maximum number of occurrences', async () => {
    served.faults.add({
      match: { method: 'get', path: '/notes\\?page=2$' },
      skip: 1,
      times: 2,
      action: { kind: 'status', status: 502 },
    });
    expect(await statuses(2)).toEqual([200, 200]);
    expect(await statuses(5, '/notes?page=2')).toEqual([200, 502, 502, 200, 200]);
    expect(served.faults.list()).toMatchObject([{ matched: 5, fired: 2 }]);
  });

  test('a fault can occur for every n-th request', async () => {
    served.faults.add({ every: 3, action: { kind: 'status', status: 500 } });
    expect(await statuses(6)).toEqual([200, 200, 500, 200, 200, 500]);
  });

  test('a fault can occur at random, with the same results for the same seed', async () => {
    const draw = async (seed: number) => {
      served.faults.clear();
      served.faults.add({ probability: 0.5, seed, action: { kind: 'status', status: 500 } });
      return statuses(40);
    };
    const first = await draw(7);
    expect(first.filter((status) => status === 500).length).toBeGreaterThan(10);
    expect(first.filter((status) => status === 500).length).toBeLessThan(30);
    expect(await draw(7)).toEqual(first);
    expect(await draw(8)).not.toEqual(first);
  });
});

describe('fault actions', () => {
  test('a fault replaces the response by a status, and can handle the request first', async () => {
    served.faults.add({ times: 1, action: { kind: 'status', status: 503, body: '<h1>Unicorn</h1>' } });
    const lost = await call('POST', '/notes', { text: 'One' });
    expect([lost.status, lost.body, host.notes]).toEqual([503, '<h1>Unicorn</h1>', []]);
    served.faults.add({ times: 1, action: { kind: 'status', status: 502, handled: true } });
    const done = await call('POST', '/notes', { text: 'Two' });
    expect([done.status, done.body]).toEqual([502, { error: 'fault 502' }]);
    expect([done.headers.get('x-notes'), done.headers.get('etag')]).toEqual(['1', null]);
    expect(host.notes).toEqual([{ text: 'Two' }]);
  });

  test('a host-specific fault is passed to the host, without handling the request', async () => {
    served.faults.add({ times: 1, action: { kind: 'tired', seconds: 7 } });
    const tired = await call('POST', '/notes', { text: 'One' });
    expect([tired.status, tired.headers.get('retry-after')]).toEqual([429, '7']);
    expect(host.notes).toEqual([]);
  });

  test('a fault cuts off JSON in the middle', async () => {
    served.faults.add({ times: 1, action: { kind: 'malformed' } });
    await expect(call('GET', '/notes')).rejects.toThrow(SyntaxError);
    expect(await statuses(1)).toEqual([200]);
  });

  test('a fault closes the connection before the request is handled, or within the response', async () => {
    served.faults.add({ times: 1, action: { kind: 'drop', when: 'before' } });
    await expect(call('POST', '/notes', { text: 'One' })).rejects.toThrow();
    expect(host.notes).toEqual([]);
    served.faults.add({ times: 1, action: { kind: 'drop', when: 'mid-body' } });
    await expect(call('POST', '/notes', { text: 'Two' })).rejects.toThrow();
    expect(host.notes).toEqual([{ text: 'Two' }]);
  });

  test('a fault delays the response or sends it in pieces, without changing it', async () => {
    const usual = await call('GET', '/notes');
    served.faults.add({ times: 1, action: { kind: 'delay', delayMs: 40 } });
    const beganMs = performance.now();
    expect((await call('GET', '/notes')).body).toEqual(usual.body);
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(38);
    served.faults.add({ times: 1, action: { kind: 'slow', chunkBytes: 500, intervalMs: 2 } });
    expect((await call('GET', '/notes')).body).toEqual(usual.body);
  });

  test('a delayed response does not delay closing the emulator', async () => {
    const other = await serveEmulator(notesHost(), {});
    other.faults.add({ action: { kind: 'delay', delayMs: 60_000 } });
    const failed = expect(plainClient(other.url)('GET', '/notes')).rejects.toThrow();
    while (other.faults.list()[0]?.fired !== 1) await new Promise((resolve) => setImmediate(resolve));
    await other.close();
    await failed;
  });
});

describe('control endpoints', () => {
  test('faults are added, listed and cleared over HTTP, and an invalid one is rejected with a reason', async () => {
    const bad = await call('POST', '/_emulator/faults', { action: { kind: 'explode' } });
    expect([bad.status, bad.body]).toEqual([
      400,
      { message: '"action.kind" must be one of: status, delay, drop, malformed, slow, tired.' },
    ]);
    const path = await call('POST', '/_emulator/faults', {
      match: { path: '(' },
      action: { kind: 'malformed' },
    });
    expect(path.status).toBe(400);
    const set = { match: { path: 'notes' }, every: 2, action: { kind: 'status', status: 500 } };
    expect((await call('POST', '/_emulator/faults', set)).status).toBe(201);
    expect(await statuses(2)).toEqual([200, 500]);
    expect((await call('GET', '/_emulator/faults')).body).toMatchObject([{ fault: set, fired: 1 }]);
    await call('DELETE', '/_emulator/faults');
    await call('POST', '/_emulator/faults', { times: 1, action: { kind: 'tired', seconds: 3 } });
    expect(await statuses(2)).toEqual([429, 200]);
  });

  test('user actions run with their input, or return an error', async () => {
    const act = (fields: object) => call('POST', '/_emulator/scribbles', fields);
    expect(await act({ times: 2, text: 'Hello' })).toMatchObject({ status: 201, body: 2 });
    expect(await act({ times: 1 })).toMatchObject({ status: 201, body: 3 });
    expect(host.notes).toEqual(['Hello', 'Hello', 'Scribble']);
    expect(await act({})).toMatchObject({
      status: 400,
      body: { message: '"times" must be a whole number.' },
    });
    expect(await act({ times: 1, text: 5 })).toMatchObject({ status: 400 });
    expect(await call('POST', '/_emulator/doodles', {})).toMatchObject({
      status: 404,
      body: {
        message: 'Unknown endpoint. The endpoints below /_emulator/ are: faults, requests, state, scribbles.',
      },
    });
  });

  test('requests are logged without credentials, and the state of the host is returned', async () => {
    served.faults.add({ times: 1, action: { kind: 'malformed' } });
    await expect(call('POST', '/notes?a=1', { text: 'One' }, { 'private-token': 'hush' })).rejects.toThrow();
    const log = await call('GET', '/_emulator/requests');
    const entry = { method: 'POST', path: '/notes', query: { a: '1' }, status: 200, fault: 'malformed' };
    expect(log.body).toMatchObject([
      { ...entry, url: '/notes?a=1', login: 'ada', body: { text: 'One' }, at: '2024-06-01T12:00:00Z' },
    ]);
    expect(exchanges).toMatchObject([{ ...entry, requestBody: { text: 'One' } }]);
    expect(JSON.stringify([log.body, exchanges])).not.toMatch(/secret-token|hush/);
    const state = await call('GET', '/_emulator/state?wanted=all');
    expect(state.body).toEqual({ notes: [{ text: 'One' }], wanted: 'all' });
  });

  test('a test can wait for a request, before and after it arrives', async () => {
    const coming = served.requests.waitFor((entry) => entry.path === '/user');
    await call('GET', '/user');
    expect((await coming).status).toBe(200);
    expect((await served.requests.waitFor((entry) => entry.path === '/user')).login).toBe('ada');
    await expect(served.requests.waitFor((entry) => entry.path === '/never', 5)).rejects.toThrow(
      'No such request came to the notes emulator within 5 ms.',
    );
  });

  test('HTML pages are served, and are not logged', async () => {
    expect((await call('GET', '/page')).headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(served.requests.all()).toEqual([]);
  });

  test('an error in the emulator is reported as such', async () => {
    const answer = await call('POST', '/notes', 'no JSON');
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      500,
      expect.stringContaining('The notes emulator itself failed: SyntaxError'),
    ]);
  });
});
