import {
  type BuiltinAction,
  type Flow,
  type FlowCreate,
  type FlowPreset,
  type FlowUpdate,
  flowCreate,
  type ToolPolicy,
  type TriggerFilter,
  type WriteMode,
} from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';

/** Values of the form fields. An empty text means that the field is not set. */
export interface FlowValues {
  name: string;
  description: string;
  icon: string;
  is_enabled: boolean;
  trigger_event_source: string | null;
  trigger_organization_id: string | null;
  trigger_project_id: string | null;
  /** Event type as typed, which may be unknown. */
  trigger_event_type: string;
  trigger_cluster_size: number | '';
  trigger_filters: TriggerFilter[];
  ai_model_id: string | null;
  builtin_actions: BuiltinAction[];
  prompt_template: string;
  allowed_mcp_servers: string[];
  tool_policies: Record<string, ToolPolicy>;
  write_mode: WriteMode;
  max_iterations: number | '';
  max_budget: number | '';
  max_tokens: number | '';
  is_preset: boolean;
}

const NEW_FLOW_VALUES: FlowValues = {
  name: '',
  description: '',
  icon: 'gear',
  is_enabled: true,
  trigger_event_source: null,
  trigger_organization_id: null,
  trigger_project_id: null,
  trigger_event_type: '',
  trigger_cluster_size: '',
  trigger_filters: [],
  ai_model_id: null,
  builtin_actions: [],
  prompt_template: '',
  allowed_mcp_servers: [MCP_SERVER_NAME],
  tool_policies: {},
  write_mode: 'propose',
  max_iterations: '',
  max_budget: '',
  max_tokens: '',
  is_preset: false,
};

/**
 * Returns the names of all form fields for which the server may return errors. Each filter has its
 * own field.
 */
export function fieldsOf({ trigger_filters }: FlowValues): string[] {
  return [
    ...Object.keys(NEW_FLOW_VALUES),
    ...trigger_filters.map((_, index) => `trigger_filters.${index}.value`),
  ];
}

function valuesOf(
  from: Omit<FlowPreset, 'is_preset'>,
): Omit<
  FlowValues,
  'is_enabled' | 'trigger_event_source' | 'trigger_organization_id' | 'trigger_project_id' | 'ai_model_id'
> {
  return {
    name: from.name,
    description: from.description ?? '',
    icon: from.icon ?? 'gear',
    trigger_event_type: from.trigger_event_type ?? '',
    trigger_cluster_size: from.trigger_cluster_size ?? '',
    trigger_filters: from.trigger_filters,
    builtin_actions: from.builtin_actions,
    prompt_template: from.prompt_template ?? '',
    allowed_mcp_servers: from.allowed_mcp_servers,
    tool_policies: from.tool_policies,
    write_mode: from.write_mode,
    max_iterations: from.max_iterations ?? '',
    max_budget: from.max_budget ?? '',
    max_tokens: from.max_tokens ?? '',
    is_preset: false,
  };
}

/**
 * Returns the initial values of a new flow. Without a preset, they are empty. A preset without
 * built-in actions gets the default model of the account, if any.
 */
export function valuesOfPreset(preset: FlowPreset | null, defaultModelId: string | null): FlowValues {
  if (preset === null) return NEW_FLOW_VALUES;
  const needsModel = preset.builtin_actions.length === 0;
  return { ...NEW_FLOW_VALUES, ...valuesOf(preset), ai_model_id: needsModel ? defaultModelId : null };
}

export function valuesOfFlow(flow: Flow): FlowValues {
  return {
    ...valuesOf({ ...flow, account_id: null }),
    is_enabled: flow.is_enabled,
    trigger_event_source: flow.trigger_event_source,
    trigger_organization_id: flow.trigger_organization_id,
    trigger_project_id: flow.trigger_project_id,
    ai_model_id: flow.ai_model_id,
  };
}

/** Returns the request body that updates a flow. A blank field is sent as null, which clears it. */
export function updateBody(values: FlowValues): FlowUpdate {
  const given = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && value.trim() === '' && name !== 'name' ? null : value,
  ]);
  return Object.fromEntries(given);
}

const NUMBER_FIELDS = ['trigger_cluster_size', 'max_iterations', 'max_budget', 'max_tokens'];

/**
 * Returns the request body that creates a flow. Blank fields are omitted, but blank numbers are
 * sent as null.
 */
export function createBody(values: FlowValues): Partial<FlowCreate> {
  const body = Object.entries(updateBody(values));
  return Object.fromEntries(body.filter(([name, value]) => value !== null || NUMBER_FIELDS.includes(name)));
}

/** Schema by which the form is validated. */
export const flowSchema = flowCreate;

/** Returns the policies with another policy for one tool. */
export function withPolicy(
  policies: Record<string, ToolPolicy>,
  tool: string,
  chosen: ToolPolicy,
): Record<string, ToolPolicy> {
  return { ...policies, [tool]: chosen };
}

/**
 * Returns the policies that the user can select for a tool. Read-only tools of Winnow never need
 * approval.
 */
export function policiesFor({ isOwn, isReading }: { isOwn: boolean; isReading: boolean }): ToolPolicy[] {
  return isOwn && isReading ? ['allow', 'deny'] : ['allow', 'ask', 'deny'];
}
