import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { TrackerError, type TrackerEvent, type WebhookDelivery } from '../provider.ts';
import { expectFailure } from '../testing/provider-suite/context.ts';
import { backlog, never, startPerTest } from './testing/per-test.ts';
import { gitLabWebhook } from './webhook.ts';

const start = startPerTest();
const path = 'acme/team/app';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server that records the webhook deliveries it receives. */
async function receiver(secret: string) {
  const deliveries: (WebhookDelivery | null)[] = [];
  const raw: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    raw.push({ headers: request.headers, body: body.toString('utf8') });
    deliveries.push(gitLabWebhook.read({ headers: request.headers, body }, secret));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  const events = (): TrackerEvent[] => deliveries.flatMap((delivery) => delivery?.events ?? []);
  return { url: `http://127.0.0.1:${address.port}/hooks/gitlab`, deliveries, events, raw };
}

describe('a registered webhook', () => {
  test('delivers changes by users and by Winnow with the secret', async () => {
    const gitlab = await start(backlog(2), { mergeRequests: backlog(1) });
    const { url, events, deliveries } = await receiver('hush');
    await gitlab.provider.webhooks?.register(gitlab.project, { url, secret: 'hush' }, never());
    const { emulator } = gitlab;
    emulator.createIssue(path, { title: 'New', author: 'bob' });
    emulator.editAs('bob', path, 1, { title: 'Renamed' });
    emulator.editAs('bob', path, 1, { state_event: 'close' });
    emulator.commentAs('bob', path, '!1', 'Looks good');
    emulator.createIssue(path, { title: 'Secret', author: 'bob', confidential: true });
    emulator.pushAs('bob', path, 'main', [
      { id: 'a'.repeat(40), message: 'Fix it\n\nreally', timestamp: '2024-05-01T11:59:00Z' },
    ]);
    await emulator.deliveries.settled();
    expect(events().map(({ type, issueExternalId }) => [type, issueExternalId])).toEqual([
      ['issue_opened', '3'],
      ['issue_updated', '1'],
      ['issue_closed', '1'],
      ['comment_created', '!1'],
      ['issue_opened', '4'],
      ['push', null],
      ['commit_to_main', null],
    ]);
    expect(events()[3]).toMatchObject({
      actor: 'bob',
      project: { externalId: gitlab.project.externalId, identifier: path },
      details: { comment: 'Looks good' },
    });
    emulator.deliveries.resend(emulator.deliveries.all[0]?.hookId ?? 0);
    await emulator.deliveries.settled();
    expect(deliveries.at(-1)?.id).toBe(deliveries.at(-2)?.id);
    expect(new Set(deliveries.map((delivery) => delivery?.id)).size).toBe(6);
  });

  test('gets the new secret when registered again, without a duplicate', async () => {
    const gitlab = await start(backlog(1));
    const { url, deliveries } = await receiver('new');
    const register = (secret: string) =>
      gitlab.provider.webhooks?.register(gitlab.project, { url, secret }, never());
    const id = await register('old');
    expect(await register('new')).toBe(id);
    gitlab.emulator.editAs('bob', path, 1, { title: 'Renamed' });
    await gitlab.emulator.deliveries.settled();
    expect(deliveries).toMatchObject([{ events: [{ type: 'issue_updated' }] }]);
  });

  test('is rejected with another secret', async () => {
    const gitlab = await start(backlog(1));
    const { url, deliveries } = await receiver('hush');
    await gitlab.provider.webhooks?.register(gitlab.project, { url, secret: 'other' }, never());
    gitlab.emulator.editAs('bob', path, 1, { title: 'Renamed' });
    await gitlab.emulator.deliveries.settled();
    expect(deliveries).toEqual([null]);
  });

  test('delivers nothing after its removal, and removing it again is no error', async () => {
    const gitlab = await start(backlog(1));
    const { url, raw } = await receiver('hush');
    const id =
      (await gitlab.provider.webhooks?.register(gitlab.project, { url, secret: 'hush' }, never())) ?? '';
    await gitlab.provider.webhooks?.remove(gitlab.project, id, never());
    await gitlab.provider.webhooks?.remove(gitlab.project, id, never());
    gitlab.emulator.editAs('bob', path, 1, { title: 'Renamed' });
    await gitlab.emulator.deliveries.settled();
    expect(raw).toEqual([]);
  });
});

test('a token without the maintainer role cannot register, and the reason is reported', async () => {
  const gitlab = await start(backlog(1));
  gitlab.emulator.setToken({ token: 'dev', username: 'bob' });
  const { webhooks } = gitlab.providerFor('dev');
  const hook = { url: 'http://127.0.0.1:9/x', secret: 'hush' };
  const error = await expectFailure(
    webhooks?.register(gitlab.project, hook, never()) ?? Promise.reject(new TrackerError('invalid', 'none')),
    'forbidden',
  );
  expect(error.message).toContain('the webhooks of the project acme/team/app');
});
