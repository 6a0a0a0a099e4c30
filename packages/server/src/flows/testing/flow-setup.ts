import type { AiModel, AiProvider } from '@winnow/contract/ai-model';
import {
  EXECUTION_STATUSES,
  type ExecutionLog,
  executionLogs,
  type Flow,
  type FlowExecution,
  flow,
  flowExecution,
} from '@winnow/contract/flow';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { addModel } from '../../testing/models.ts';

let named = 0;

/** Creates a model that the emulator serves, for the account of the caller. */
export function newModel(
  caller: Caller,
  models: ModelsEmulator,
  provider: AiProvider = 'openai',
): Promise<AiModel> {
  named += 1;
  return addModel(caller, models, {
    name: `Model ${named}`,
    provider_name: provider,
    model_identifier: IDENTIFIERS[provider],
    api_key: 'sk-0123456789',
    is_default: false,
  });
}

/** Identifiers of models with a known price, except for the provider `custom`. */
const IDENTIFIERS: Record<AiProvider, string> = {
  openai: 'gpt-4o',
  anthropic: 'claude-3-5-sonnet-20240620',
  google: 'gemini-1.5-pro',
  custom: 'local',
};

/** Creates a flow that may use Winnow's own tools. */
export function newFlow(
  caller: Caller,
  modelId: string | null,
  changes: Record<string, unknown> = {},
): Promise<Flow> {
  named += 1;
  const fields = {
    name: `Flow ${named}`,
    ai_model_id: modelId,
    prompt_template: modelId === null ? null : 'Triage {{issue.key}}: {{issue.description}}',
    allowed_mcp_servers: ['winnow'],
    ...changes,
  };
  return caller.send('POST', '/flows', fields, flow);
}

/** Starts a flow; by default, on the first issue of `acme/app`. */
export function runFlow(
  caller: Caller,
  flowId: string,
  on: Record<string, unknown> = { issue_key: 'acme/app#1' },
): Promise<FlowExecution> {
  return caller.send('POST', `/flows/${flowId}/run`, on, flowExecution);
}

/** Waits until `fits` is true for an execution; by default, until it has ended. */
export function whenExecution(
  caller: Caller,
  executionId: string,
  fits = ({ status }: FlowExecution): boolean => EXECUTION_STATUSES[status].ended,
): Promise<FlowExecution> {
  let last: FlowExecution | null = null;
  return eventually(
    async () => {
      last = await caller.get(`/flows/executions/${executionId}`, flowExecution);
      return fits(last) && last;
    },
    { what: 'the execution' },
  ).catch((error: unknown) => {
    throw new Error(`The last state of the execution was ${JSON.stringify(last)}`, { cause: error });
  });
}

/** Starts a flow like {@link runFlow} and waits until the execution has ended. */
export async function runToEnd(
  caller: Caller,
  flowId: string,
  on?: Record<string, unknown>,
): Promise<FlowExecution> {
  return whenExecution(caller, (await runFlow(caller, flowId, on)).id);
}

/** Returns all log entries of an execution. */
export async function logsOf(caller: Caller, executionId: string): Promise<ExecutionLog[]> {
  const { logs } = await caller.get(`/flows/executions/${executionId}/logs?limit=500`, executionLogs);
  return logs;
}
