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

/** Number of accounts. An account runs at most eight executions concurrently. */
const ACCOUNTS = 13;
const EXECUTIONS_PER_ACCOUNT = 4;
const CALLS = 5;
const MODEL_DELAY_MS = 1_000;
const WATCHED_EXECUTIONS = 10;
const POLL_INTERVAL_MS = 100;
const TOKEN = 'ghp_flows_bench';

/**
 * Measures the latency of the console while a node runs its maximum number of executions, and the
 * delay until log entries appear.
 */
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
    if (!first) throw new Error('No account was created.');
    const looking = () => measureResponse(first.api);
    await looking();
    const begunAt = performance.now();
    const runs = await Promise.all(
      accounts.flatMap(({ api, flowId }) =>
        Array.from({ length: EXECUTIONS_PER_ACCOUNT }, async () => {
          const { id } = await api.send('POST', `/flows/${flowId}/run`, {}, flowExecution);
          return { api, id };
        }),
      ),
    );
    const delays: number[] = [];
    const sockets = runs
      .slice(0, WATCHED_EXECUTIONS)
      .map(({ api, id }) => watch(server.url, api, id, delays));
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
      await pause(POLL_INTERVAL_MS);
    }
    const detail = {
      executions: runs.length,
      calls_each: CALLS,
      model_ms: MODEL_DELAY_MS,
      all_ended_after_ms: Math.round(performance.now() - begunAt),
    };
    emitTimes(emit, 'list of similar issues meanwhile', times, detail);
    emitTimes(emit, 'log entry until a watching client receives it', delays, {
      ...detail,
      watched: WATCHED_EXECUTIONS,
    });
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

/** Makes the emulated models return several tool calls, one per turn, and then end. */
function answerSlowly(models: ModelsEmulator): void {
  models.answerAll(async ({ turns }) => {
    await pause(MODEL_DELAY_MS);
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

/** Returns the response time of a console page, in milliseconds. */
async function measureResponse(api: Api): Promise<number> {
  const at = performance.now();
  await api.get('/issue-duplicates?limit=20', pairList);
  return performance.now() - at;
}

/** Records the delay between writing and receiving each log entry. */
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
