import { leadReceived } from '@winnow/contract/lead';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../platform/testing/mail-server.ts';
import { type Answer, call, failureOf } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { listLeads } from './service.ts';

const ADA = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'CTO',
  org: 'Analytical <Engines>',
  headcount: '201-1000',
  trackers: ['github', 'linear'],
  comments: 'We have 40,000 issues.\nCan you <b>help</b>?',
  source: 'request-demo',
};
let mailServer: MailServer;
let winnow: RunningWinnow;
let addresses = 0;

beforeAll(async () => {
  mailServer = await startMailServer();
  winnow = await startWinnow({
    env: {
      SMTP_URL: `smtp://${mailServer.host}`,
      MAIL_FROM: 'winnow@example.org',
      LEADS_EMAIL: 'sales@example.org',
      TRUST_PROXY: '1',
    },
  });
});
afterAll(async () => {
  await winnow.close();
  await mailServer.close();
});

/** Returns an IP address from which no request was sent yet. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

function ask(body: unknown, from = newAddress()): Promise<Answer> {
  return call(winnow.origin, 'POST', '/api/v1/leads', { body, headers: { 'x-forwarded-for': from } });
}

const stored = () => listLeads(winnow.database.db);

test.each([
  ['no name', { name: undefined }, 'name', 'Enter your name.'],
  ['a blank name', { name: '  ' }, 'name', 'Enter your name.'],
  ['an overlong name', { name: 'x'.repeat(201) }, 'name', 'A name has at most 200 characters.'],
  ['no email address', { email: undefined }, 'email', 'This is not an email address.'],
  ['an invalid email address', { email: 'ada' }, 'email', 'This is not an email address.'],
  ['no role', { role: '' }, 'role', 'Enter your role.'],
  ['no organization', { org: '' }, 'org', 'Enter your organization.'],
  ['no headcount', { headcount: '' }, 'headcount', 'Choose a headcount.'],
  ['a headcount in its display form', { headcount: '201-1,000' }, 'headcount', 'Choose a headcount.'],
  ['an unknown tracker', { trackers: ['github', 'bugzilla'] }, 'trackers.1', expect.any(String)],
  ['too many trackers', { trackers: Array(5).fill('github') }, 'trackers', expect.any(String)],
  [
    'overlong comments',
    { comments: 'x'.repeat(5001) },
    'comments',
    'Comments have at most 5,000 characters.',
  ],
  ['no source', { source: undefined }, 'source', 'This field is required.'],
])('refuses a request with %s, names the field and stores nothing', async (_, change, path, message) => {
  const before = await stored();
  const failure = failureOf(await ask({ ...ADA, ...change }), 422);
  expect([failure.code, failure.fields]).toEqual(['invalid_fields', [{ path, message }]]);
  expect(await stored()).toEqual(before);
});

test('stores a request as sent and emails it to the operator as text and HTML', async () => {
  const answer = await ask(ADA);
  expect(answer.status).toBe(201);
  const { id } = leadReceived.strict().parse(answer.body);
  const [newest] = await stored();
  expect(newest).toEqual({ ...ADA, id, created_at: expect.any(String) });
  const mail = await eventually(() => mailServer.received[0]);
  expect(mail.to).toEqual(['sales@example.org']);
  expect(mail.parsed.subject).toBe('Demo request: Ada Lovelace, Analytical <Engines>');
  for (const line of ['Headcount: 201-1,000', 'Trackers: GitHub, Linear', 'Can you <b>help</b>?']) {
    expect(mail.parsed.text?.split('\n')).toContain(line);
  }
  expect(mail.parsed.html).toContain('Can you &lt;b&gt;help&lt;/b&gt;?');
});

test('accepts a request without trackers and comments, and lists the newest first', async () => {
  const { trackers: _trackers, comments: _comments, ...required } = ADA;
  await ask({ ...required, name: 'First' });
  await ask({ ...required, name: 'Second', comments: ' ' });
  const [second, first] = await stored();
  expect([second?.name, first?.name]).toEqual(['Second', 'First']);
  for (const lead of [first, second]) expect(lead).toMatchObject({ trackers: [], comments: null });
});

test('accepts five requests per minute from one IP address', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1) statuses.push((await ask(ADA, '203.0.113.7')).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201]);
  const limited = await ask(ADA, '203.0.113.7');
  expect(failureOf(limited, 429).code).toBe('rate_limited');
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(ADA, '203.0.113.8')).status).toBe(201);
});

test.each(['{"name":', '[]', 'null', '{"name":"a\\u0000"}', '{"__proto__":{"name":"x"}}'])(
  'refuses the body %s with a client error',
  async (raw) => {
    const headers = { 'x-forwarded-for': newAddress() };
    const answer = await call(winnow.origin, 'POST', '/api/v1/leads', { raw, headers });
    expect([400, 422]).toContain(answer.status);
    failureOf(answer, answer.status);
  },
);

test('without LEADS_EMAIL, stores a request and sends no email', async () => {
  const alone = await startWinnow();
  try {
    await call(alone.origin, 'POST', '/api/v1/leads', { body: ADA });
    expect(await listLeads(alone.database.db)).toHaveLength(1);
    // Waits for the email of a user who registers afterwards. An email about the request would have
    // been sent before it.
    await alone.newCaller();
    await eventually(() => alone.logLines.find(({ kind }) => kind === 'verify_email'));
    expect(alone.logLines.filter(({ kind }) => kind === 'lead')).toEqual([]);
  } finally {
    await alone.close();
  }
});
