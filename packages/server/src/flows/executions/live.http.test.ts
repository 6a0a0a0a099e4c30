import { type FlowLiveMessage, flowLiveMessage } from '@winnow/contract/flow';
import { CLOSE_GONE, CLOSE_UNAUTHENTICATED } from '@winnow/contract/live-close';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { closeAll, startBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { listenLive } from '../../testing/live-listener.ts';
import type { RunningWinnow } from '../../testing/running-winnow.ts';
import { logsOf, newFlow, newModel, runFlow, whenExecution } from '../testing/flow-setup.ts';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let modelId: string;

beforeAll(async () => {
  ({ winnow, models, github, caller } = await startBacklog());
  modelId = (await newModel(caller, models)).id;
});
afterAll(() => closeAll(winnow, models, github));

/** Opens the WebSocket of an execution. Without a token, sends no authentication. */
async function watch(query: string, token: string | null) {
  const socket = new WebSocket(`${winnow.origin.replace(/^http/, 'ws')}/api/v1/ws/flow-updates?${query}`);
  const messages: FlowLiveMessage[] = [];
  socket.on('message', (data) => {
    const text = String(data);
    if (text !== 'ping' && text !== 'pong') messages.push(flowLiveMessage.parse(JSON.parse(text)));
  });
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  if (token !== null) socket.send(JSON.stringify({ type: 'authenticate', token }));
  return { messages, closed, close: () => socket.close() };
}

/** Starts an execution. Its model responds only after `answer` is called. */
async function running() {
  const release = Promise.withResolvers<void>();
  models.answerAll(async ({ turns }) => {
    await release.promise;
    return turns.length > 1
      ? { text: 'Read it.' }
      : { calls: [{ name: 'winnow__get_issue', arguments: { issue: 'acme/app#1' } }] };
  });
  const { id: flowId } = await newFlow(caller, modelId);
  const { id } = await runFlow(caller, flowId);
  return { id, answer: () => release.resolve() };
}

test('sends the current state and then all new log entries', async () => {
  const { id, answer } = await running();
  const everything = await watch(`execution_id=${id}&after=0`, caller.tokens.access_token);
  const live = await listenLive(winnow.origin, caller.tokens.access_token);
  await eventually(() => everything.messages.some(({ type }) => type === 'status_update'));
  answer();
  const ended = await whenExecution(caller, id);
  const last = await eventually(() =>
    everything.messages.find(
      ({ type, payload }) => type === 'status_update' && payload.status === 'SUCCEEDED',
    ),
  );
  expect(last.execution_id).toBe(id);
  const of = (type: string) => everything.messages.filter((message) => message.type === type);
  const logs = await logsOf(caller, id);
  expect(of('log').map(({ payload }) => payload)).toEqual(logs);
  expect(of('tool_call')).toHaveLength(ended.tool_calls_count);
  expect(of('budget_update').at(-1)?.payload).toEqual({ budget_used: ended.budget_used });
  await live.heard((event) => event.type === 'execution_updated' && event.execution_id === id);
  expect(live.events.some(({ type }) => (type as string) === 'execution_logged')).toBe(false);
  everything.close();
  await live.close();
});

test('closes the connection for an execution of another account', async () => {
  const { id, answer } = await running();
  const stranger = await winnow.newCaller();
  const channel = await watch(`execution_id=${id}&after=0`, stranger.tokens.access_token);
  expect(await channel.closed).toBe(CLOSE_GONE);
  answer();
  await whenExecution(caller, id);
  expect(channel.messages).toEqual([]);
});

test('closes the connection without a token or with an invalid token', async () => {
  const silent = await watch('execution_id=11111111-1111-4111-8111-111111111111', null);
  const wrong = await watch('execution_id=11111111-1111-4111-8111-111111111111', 'no token');
  expect(await wrong.closed).toBe(CLOSE_UNAUTHENTICATED);
  expect(await silent.closed).toBe(CLOSE_UNAUTHENTICATED);
  expect([...silent.messages, ...wrong.messages]).toEqual([]);
});

test.each([
  '',
  'execution_id=',
  'execution_id=1',
  'execution_id=11111111-1111-4111-8111-111111111111&after=2147483648',
])('refuses the query "%s"', async (query) => {
  const answer = await caller.call('GET', `/ws/flow-updates?${query}`);
  expect(answer.status).toBe(400);
});
