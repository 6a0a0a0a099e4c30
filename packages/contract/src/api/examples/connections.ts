import * as model from '../../ai-model.ts';
import * as flow from '../../flow.ts';
import * as server from '../../mcp-server.ts';
import * as tracker from '../../tracker.ts';
import { AT, example, IDS, LATER } from '../example.ts';

const rule = {
  rule_type: 'INCLUDE' as const,
  scope_type: 'ORGANIZATION' as const,
  identifier: 'acme',
};
const connected = {
  id: IDS.tracker,
  name: 'Acme on GitHub',
  tracker_type: 'github' as const,
  url: 'https://github.com',
  is_active: true,
  connection_details: {},
  scope_rules: [{ ...rule, id: IDS.other }],
  tracker_login: 'ada',
  health: { status: 'ok' as const, message: null, cause: null, checked_at: LATER, missing_permissions: [] },
  sync: { state: 'idle' as const, progress: null, last_finished_at: LATER, last_error: null, issues: 134 },
  webhooks: { state: 'active' as const, last_event_at: LATER },
  created: AT,
  last_updated: AT,
};
const choice = { id: 'acme/web', name: 'web', identifier: 'acme/web', type: 'project' as const };
const modelConnection = {
  provider_name: 'openai' as const,
  model_identifier: 'gpt-4o',
  api_url: 'https://api.openai.com/v1',
};
const listPrice = {
  input: 2,
  output: 10,
  cached_input: 0.1,
  source: 'list' as const,
  as_of: '2026-10-01',
};
const health = {
  state: 'ok' as const,
  last_success_at: AT,
  last_failure_at: null,
  last_failure: null,
  failures_in_row: 0,
  paused_at: null,
  paused_until: null,
  used_instead: null,
  month: { calls: 12, cost: 0.05 },
};
const chat = {
  id: IDS.model,
  name: 'GPT',
  ...modelConnection,
  has_api_key: true,
  is_default: false,
  is_offered: false,
  price: listPrice,
  monthly_call_cap: 1_000,
  monthly_cost_cap: null,
  health,
  agreement: { pairs: 40, agreed: 33, built_in_agreed: 26 },
  created_at: AT,
};
const tool = { name: 'search', title: 'Search', description: 'Searches the documentation.', read_only: true };
const serverConnection = {
  url: 'https://docs.acme.test/mcp',
  auth_type: 'bearer' as const,
  secret: 's3cr3t',
};
const definition = {
  name: 'Flag duplicates',
  description: null,
  icon: 'bug' as const,
  trigger_event_type: 'issue_opened' as const,
  trigger_cluster_size: null,
  trigger_filters: [{ field: 'label' as const, op: 'is' as const, value: 'bug' }],
  builtin_actions: ['flag_duplicates' as const],
  prompt_template: null,
  allowed_mcp_servers: ['winnow'],
  tool_policies: {},
  write_mode: 'propose' as const,
  max_iterations: null,
  max_budget: null,
  max_tokens: null,
};
const event = {
  type: 'issue_opened',
  actor: 'ada',
  occurred_at: AT,
  project_id: IDS.project,
  project: 'acme/web',
  issue_id: IDS.issue,
  issue_key: 'acme/web#12',
  issue_title: 'Export button does nothing on a slow connection',
  url: 'https://github.com/acme/web/issues/12',
  details: {},
};

/** Examples of the schemas of trackers, language models, MCP servers and flows. */
export const CONNECTION_EXAMPLES = [
  example(tracker.tracker, connected),
  example(tracker.trackerCreate, {
    name: connected.name,
    type: 'github',
    api_key: 'github_pat_11A...',
    scope_rules: [rule],
  }),
  example(tracker.trackerUpdate, { name: connected.name, api_key: 'unchanged' }),
  example(tracker.connectionTest, { tracker_type: 'github', api_key: 'github_pat_11A...' }),
  example(tracker.connectionTestResult, {
    success: true,
    message: 'Connected as ada.',
    orgs: [{ id: 'acme', name: 'acme', type: 'organization', children: [choice] }],
  }),
  example(tracker.projectsOfOrganization, {
    tracker_type: 'github',
    api_key: 'github_pat_11A...',
    organization_identifier: 'acme',
  }),
  example(tracker.projectChoice, choice),
  example(tracker.trackerWebhook, {
    url: `https://winnow.acme.test/api/v1/trackers/${IDS.tracker}/webhook`,
    secret: 'p6Ws…',
    former_accepted_until: null,
    events: ['Issues', 'Issue comments'],
    state: 'polling',
    problem: null,
  }),
  example(model.aiModel, chat),
  example(model.aiModelCreate, { name: chat.name, ...modelConnection, api_key: 'sk-x' }),
  example(model.aiModelUpdate, { is_default: true }),
  example(model.aiModelTest, { ...modelConnection, api_key: 'sk-x' }),
  example(model.aiModelEstimateRequest, {
    provider_name: modelConnection.provider_name,
    model_identifier: modelConnection.model_identifier,
  }),
  example(model.aiModelEstimate, {
    reviews: { calls: 12, input_tokens: 14_400, output_tokens: 1_800, cost: 0.0468 },
    scores: { calls: 84, input_tokens: 109_200, output_tokens: 45_360, cost: 0.672 },
    list_calls_per_hour: 20,
    price: listPrice,
  }),
  example(model.providerModelsRequest, {
    provider_name: modelConnection.provider_name,
    api_url: modelConnection.api_url,
    api_key: 'sk-x',
  }),
  example(model.providerModels, { models: [modelConnection.model_identifier], message: null }),
  example(model.modelPrices, {
    as_of: listPrice.as_of,
    models: [
      {
        provider_name: modelConnection.provider_name,
        model_identifier: modelConnection.model_identifier,
        input: listPrice.input,
        output: listPrice.output,
        cached_input: listPrice.cached_input,
        as_of: listPrice.as_of,
      },
    ],
  }),
  example(model.aiModelTestResult, { success: true, message: 'GPT responds.', latency_ms: 640 }),
  example(server.mcpServer, {
    id: IDS.server,
    name: 'Docs',
    url: serverConnection.url,
    transport: 'streamable_http',
    auth_type: 'bearer',
    header_name: null,
    has_secret: true,
    status: 'ok',
    status_message: null,
    checked_at: AT,
    tools: [tool],
  }),
  example(server.mcpServerSave, { name: 'Docs', ...serverConnection }),
  example(server.mcpServerTest, serverConnection),
  example(server.mcpServerTestResult, { success: true, message: 'One tool.', tools: [tool] }),
  example(flow.flowCreate, {
    name: definition.name,
    trigger_event_type: 'issue_opened',
    builtin_actions: ['flag_duplicates'],
  }),
  example(flow.flowUpdate, { is_enabled: false }),
  example(flow.flow, {
    ...definition,
    id: IDS.flow,
    account_id: IDS.account,
    is_enabled: true,
    trigger_event_source: IDS.tracker,
    trigger_organization_id: null,
    trigger_project_id: null,
    ai_model_id: null,
    is_preset: false,
    created_at: AT,
    updated_at: AT,
    problem: null,
    last_execution: { id: IDS.execution, status: 'SUCCEEDED', start_time: AT, end_time: AT },
  }),
  example(flow.flowPreset, { ...definition, id: 'flag_duplicates', account_id: null, is_preset: true }),
  example(flow.flowRun, { issue_key: 'acme/web#12', dry_run: true }),
  example(flow.flowExecution, {
    id: IDS.execution,
    flow_id: IDS.flow,
    flow_name: definition.name,
    status: 'SUCCEEDED',
    created_at: AT,
    start_time: AT,
    end_time: AT,
    trigger_event: { ...event, coalesced: 0 },
    dry_run: false,
    ai_model_name: null,
    result: 'acme/web#7 is the likely original.',
    error_message: null,
    actions_taken_summary: [
      {
        action: 'flag_duplicates',
        target_key: 'acme/web#12',
        summary: 'Proposed a comment.',
        change_id: IDS.change,
      },
    ],
    tool_calls_count: 2,
    budget_used: 0,
    tokens: { input: 0, output: 0 },
    iterations: 1,
    change_ids: [IDS.change],
    retry_of: null,
  }),
  example(flow.executionLogs, {
    logs: [{ seq: 1, timestamp: AT, type: 'status', payload: { status: 'RUNNING' } }],
    total: 1,
  }),
  example(flow.pastEvent, { ...event, event: 42 }),
  example(flow.flowPreviewRequest, { prompt_template: 'Look at {{issue.key}}.', issue_key: 'acme/web#12' }),
  example(flow.flowPreview, { prompt: 'Look at acme/web#12.', filters: [], passes: true }),
];
