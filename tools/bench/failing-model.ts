import { aiModel } from '@winnow/contract/ai-model';
import { flow, flowExecution } from '@winnow/contract/flow';
import { tracker } from '@winnow/contract/tracker';
import { type ModelReply, startModels } from '@winnow/emulators/models/emulator';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { type Api, eventually, registerAndSignIn } from '../product/api.ts';
import type { Emit } from './run.ts';
import { hundredths } from './shared/times.ts';

/**
 * Number of executions started on the failing model. This is the maximum number of concurrent
 * executions per account.
 */
const EXECUTIONS = 8;
/**
 * Maximum observation time in milliseconds. The result for a flow that runs longer is this time.
 */
const MAX_WAIT_MS = Number(process.env.BENCH_MODEL_DOWN_MS ?? 300_000);
const SETTLE_MS = 5_000;

const FAILURES: Record<string, ModelReply> = {
  'never responds': 'hangs',
  'responds with 500': { fails: 500, says: 'Broken.' },
  'responds with 429': { fails: 429, says: 'Slow down.', retryAfterSeconds: 60 },
};

/**
 * Measures the delay of a flow without a model and of a flow with a healthy model. Meanwhile, eight
 * executions of the same account use a failing model. Also counts the calls to the failing model.
 */
export async function run(emit: Emit): Promise<void> {
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  try {
    await Promise.all(
      Object.entries(FAILURES).map(([name, reply], index) => measure(emit, server.url, index, name, reply)),
    );
  } finally {
    await server.remove();
  }
}

async function measure(emit: Emit, url: string, index: number, name: string, reply: ModelReply) {
  const [down, healthy] = await Promise.all([startModels(), startModels()]);
  try {
    down.answerAll(() => reply);
    healthy.answerAll(() => ({ text: 'Done.' }));
    const api = await registerAndSignIn(url, `bench-${index}`);
    await connectSample(api);
    const agentOf = async (label: string, address: string) => {
      const model = await api.send('POST', '/ai-models', modelFields(label, address), aiModel);
      return makeFlow(api, { ai_model_id: model.id, prompt_template: 'Look.' });
    };
    const failing = await agentOf('Down', down.urlOf('openai'));
    const working = await agentOf('Healthy', healthy.urlOf('openai'));
    const builtIn = await makeFlow(api, { builtin_actions: ['report_backlog'] });
    const start = (flowId: string) => api.send('POST', `/flows/${flowId}/run`, {}, flowExecution);
    const alone = await timeToEnd(api, start, builtIn);
    for (let count = 0; count < EXECUTIONS; count += 1) await start(failing);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const waits = await Promise.all([builtIn, working].map((flowId) => timeToEnd(api, start, flowId)));
    const detail = { alone_ms: alone, executions: EXECUTIONS, calls_of_the_model: down.requests.length };
    const what = `while a model ${name}`;
    emit({ name: `flow without a model ${what}`, value: waits[0] ?? 0, unit: 'ms', detail });
    emit({ name: `flow with a healthy model ${what}`, value: waits[1] ?? 0, unit: 'ms', detail });
  } finally {
    await Promise.all([down.close(), healthy.close()]);
  }
}

async function timeToEnd(
  api: Api,
  start: (flowId: string) => Promise<{ id: string }>,
  flowId: string,
): Promise<number> {
  const startedMs = performance.now();
  const { id } = await start(flowId);
  for (;;) {
    const { end_time: end } = await api.get(`/flows/executions/${id}`, flowExecution);
    const tookMs = performance.now() - startedMs;
    if (end !== null || tookMs > MAX_WAIT_MS) return hundredths(Math.min(tookMs, MAX_WAIT_MS));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function connectSample(api: Api): Promise<void> {
  const { id } = await api.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await eventually(
    async () => {
      const { sync } = await api.get(`/trackers/${id}`, tracker);
      return sync.state === 'idle' && sync.last_finished_at !== null ? true : null;
    },
    { timeoutMs: 60_000 },
  );
}

function modelFields(name: string, address: string) {
  return {
    name,
    provider_name: 'openai',
    model_identifier: 'gpt-4o',
    api_url: address,
    api_key: 'sk-bench',
    is_default: false,
  };
}

async function makeFlow(api: Api, fields: object): Promise<string> {
  const made = { name: 'Bench', allowed_mcp_servers: ['winnow'], ...fields };
  return (await api.send('POST', '/flows', made, flow)).id;
}
