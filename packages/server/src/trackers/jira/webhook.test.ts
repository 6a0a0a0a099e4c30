import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { TrackerError } from '../provider.ts';
import type { EmulatedJira } from './testing/emulated-jira.ts';
import { backlog, startPerTest } from './testing/per-test.ts';
import { jiraWebhook } from './webhook.ts';

const start = startPerTest();
const SECRET = 'a secret of some length';

interface Delivery {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server that records the webhook deliveries of the emulator. */
async function receiving(jira: EmulatedJira, secret?: string): Promise<Delivery[]> {
  const received: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  closing.push(() => new Promise((resolve) => server.close(() => resolve())));
  jira.emulator.registerWebhook({
    url: `http://127.0.0.1:${port}/`,
    ...(secret === undefined ? {} : { secret }),
  });
  return received;
}

describe.each(['cloud', 'data_center'] as const)('deliveries of Jira (%s)', (deployment) => {
  test('are converted to events', async () => {
    const jira = await start(backlog(2), { deployment });
    const received = await receiving(jira, SECRET);
    const { emulator } = jira;
    const { key, id } = emulator.createIssue('WIN', { summary: 'new one', reporter: 'bob' });
    emulator.editAs('bob', key, { summary: 'newer' });
    emulator.commentAs('bob', key, 'a word');
    const close = deployment === 'cloud' ? 'Done' : 'Close Issue';
    emulator.transitionAs('bob', key, close, 'Duplicate');
    emulator.transitionAs('bob', key, deployment === 'cloud' ? 'To Do' : 'Reopen Issue');
    emulator.deleteIssue(key);
    await emulator.deliveries.settled();
    const events = received.flatMap((delivery) => jiraWebhook.read(delivery, SECRET)?.events ?? []);
    expect(events.map(({ type }) => type)).toEqual([
      'issue_opened',
      'issue_updated',
      'comment_created',
      'issue_closed',
      'issue_reopened',
      'issue_deleted',
    ]);
    const actor = deployment === 'cloud' ? 'Bob Stone' : 'bob';
    for (const event of events) {
      expect(event).toMatchObject({
        project: { externalId: jira.project.externalId, identifier: 'WIN' },
        issueExternalId: id,
        actor,
      });
    }
    expect(events.map(({ commentExternalId: on }) => on !== undefined)).toEqual(
      events.map(({ type }) => type === 'comment_created'),
    );
    expect(events[2]?.details).toEqual({
      title: 'newer',
      key,
      url: `${emulator.siteUrl}/browse/${key}`,
      comment: 'a word',
    });
    const ids = received.map((delivery) => jiraWebhook.read(delivery, SECRET)?.id);
    expect(new Set(ids).size).toBe(6);
  });
});

describe('a delivery', () => {
  const body = Buffer.from(JSON.stringify({ timestamp: 1, webhookEvent: 'sprint_created' }));
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  test('with a wrong or missing signature is rejected', () => {
    const read = (headers: Record<string, string>, addressSecret?: string) =>
      jiraWebhook.read({ headers, addressSecret, body }, SECRET);
    expect(read({})).toBeNull();
    expect(read({ 'x-hub-signature': sign('another') })).toBeNull();
    expect(read({ 'x-hub-signature': sign('another') }, SECRET)).toBeNull();
    expect(read({}, 'another')).toBeNull();
    expect(jiraWebhook.read({ headers: {}, addressSecret: '', body }, '')).toBeNull();
  });

  test('with the secret in the signature or URL is read, and irrelevant ones yield no events', () => {
    for (const proof of [
      { headers: { 'x-hub-signature': sign(SECRET) } },
      { headers: {}, addressSecret: SECRET },
    ]) {
      expect(jiraWebhook.read({ ...proof, body }, SECRET)).toEqual({ id: null, events: [] });
    }
  });

  test.each(['not json', '{}', '[]'])('that is signed but unreadable (%s) is an error', (text) => {
    const bytes = Buffer.from(text);
    expect(() => jiraWebhook.read({ headers: {}, addressSecret: SECRET, body: bytes }, SECRET)).toThrow(
      TrackerError,
    );
  });
});
