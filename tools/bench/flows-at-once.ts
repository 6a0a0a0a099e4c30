import { setTimeout as pause } from 'node:timers/promises';
import { aiModel } from '@winnow/contract/ai-model';
import { pairList } from '@winnow/contract/duplicate';
import { flow, flowExecution, flowExecutionList, flowLiveMessage } from '@winnow/contract/flow';
import { tracker } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { WebSocket } from 'ws';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { type Api, eventually, registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { emitTimes } from './shared/times.ts';

/** Of one account at most eight executions are run at a time. */
const ACCOUNTS = 13;
const EACH = 4;
const CALLS = 5;
const MODEL_MS = 1_000;
const WATCHED = 10;
const LOOK_EVERY_MS = 100;
const TOKEN = 'ghp_flows_bench';

/** How the console answers while a node runs as many executions as it has places for, and how soon their logs are seen. */
export async function run(emit: Emit): Promise<void> {
  const [models, github] = await Promise.all([
    startModels(),
    startGitHubEmulator({
      enterprise: true,
      seed: {
        users: [{ login: 'keeper' }],
        orgs: [{ login: 'many', members: ['keeper'] }],
        repos: [{ owner: 'many', name: 'issues', private: true, issues: manyIssues() }],
        tokens: [{ token: TOKEN, login: 'keeper', scopes: ['repo', 'read:org'], repos: 'all' }],
      },
    }),
  ]);
  answerSlowly(models);
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  try {
    const accounts: { api: Api; flowId: string }[] = [];
    for (let number = 0; number < ACCOUNTS; number += 1) {
      const api = await registerAndSignIn(server.url, `bench-${number}`);
      await connect(api, github.url);
      accounts.push({ api, flowId: await makeFlow(api, models) });
    }
    const [first] = accounts;
    if (!first) throw new Error('There is no account.');
    const looking = () => look(first.api);
    await looking();
    const begunAt = performance.now();
    const runs = await Promise.all(
      accounts.flatMap(({ api, flowId }) =>
        Array.from({ length: EACH }, async () => {
          const { id } = await api.send('POST', `/flows/${flowId}/run`, {}, flowExecution);
          return { api, id };
        }),
      ),
    );
    const delays: number[] = [];
    const sockets = runs.slice(0, WATCHED).map(({ api, id }) => watch(server.url, api, id, delays));
    const times: number[] = [];
    const ended = async () => {
      const lists = await Promise.all(
        accounts.map(({ api }) => api.get('/flows/executions', flowExecutionList)),
      );
      return lists.flat().every(({ end_time: end }) => end !== null);
    };
    for (let looks = 0; ; looks += 1) {
      times.push(await looking());
      if (looks % 20 === 19 && (await ended())) break;
      await pause(LOOK_EVERY_MS);
    }
    const detail = {
      executions: runs.length,
      calls_each: CALLS,
      model_ms: MODEL_MS,
      all_ended_after_ms: Math.round(performance.now() - begunAt),
    };
    emitTimes(emit, 'list of similar issues meanwhile', times, detail);
    emitTimes(emit, 'entry of a log to who watches', delays, { ...detail, watched: WATCHED });
    for (const socket of sockets) socket.close();
  } finally {
    await server.remove();
    await models.close();
    await github.close();
  }
}

function manyIssues() {
  return Array.from({ length: 100 }, (_, index) => ({
    title: `Report ${index + 1}`,
    body: `The text of report ${index + 1}.`,
  }));
}

/** Has the models make some calls, one a turn, and say then that they are done. */
function answerSlowly(models: ModelsEmulator): void {
  models.answerAll(async ({ turns }) => {
    await pause(MODEL_MS);
    const turn = turns.filter(({ role }) => role === 'assistant').length;
    if (turn === CALLS) return { text: 'Done.' };
    return { calls: [{ name: 'winnow__search_issues', arguments: { query: `report ${turn}` } }] };
  });
}

async function connect(api: Api, url: string): Promise<void> {
  const scope = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
  const body = { name: 'Many', type: 'github', url, api_key: TOKEN, scope_rules: scope };
  const { id } = await api.send('POST', '/trackers', body, tracker);
  await eventually(
    async () => {
      const { sync } = await api.get(`/trackers/${id}`, tracker);
      return sync.state === 'idle' && sync.last_finished_at !== null ? true : null;
    },
    { timeoutMs: 60_000 },
  );
}

async function makeFlow(api: Api, models: ModelsEmulator): Promise<string> {
  const fields = {
    name: 'Ours',
    provider_name: 'openai',
    model_identifier: 'gpt-4o',
    api_url: models.urlOf('openai'),
    api_key: 'sk-bench',
    is_default: false,
  };
  const { id: modelId } = await api.send('POST', '/ai-models', fields, aiModel);
  const made = {
    name: 'Bench',
    ai_model_id: modelId,
    prompt_template: 'Look.',
    allowed_mcp_servers: ['winnow'],
  };
  return (await api.send('POST', '/flows', made, flow)).id;
}

/** What a page of the console takes, in milliseconds. */
async function look(api: Api): Promise<number> {
  const at = performance.now();
  await api.get('/issue-duplicates?limit=20', pairList);
  return performance.now() - at;
}

/** Notes how long after it was written down each entry of a log arrives. */
function watch(url: string, { accessToken: token }: Api, executionId: string, delays: number[]): WebSocket {
  const address = `${url.replace(/^http/, 'ws')}/api/v1/ws/flow-updates?execution_id=${executionId}`;
  const socket = new WebSocket(address);
  socket.on('open', () => socket.send(JSON.stringify({ type: 'authenticate', token })));
  socket.on('message', (data) => {
    const text = String(data);
    if (text === 'ping') return;
    const { type, timestamp } = flowLiveMessage.parse(JSON.parse(text));
    if (type === 'log') delays.push(Date.now() - Date.parse(timestamp));
  });
  return socket;
}
