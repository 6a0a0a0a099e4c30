import { z } from 'zod';
import { INVISIBLE_CHARACTERS } from './invisible-characters.ts';
import type { FlowToolName } from './mcp.ts';
import { id, instant, jsonValue, memberOf, pageQuery } from './primitives.ts';
import type { TrackerType } from './tracker.ts';
import type { TrackerEventType } from './tracker-event.ts';

/**
 * Events that can start a flow, with labels. Some events have the same meaning, because trackers
 * use different terms. `every_day` and `every_week` (Mondays) occur at 06:00 UTC.
 */
export const FLOW_EVENTS = {
  issue_opened: { label: 'Issue Opened', stream: ['issue_opened'] },
  issue_created: { label: 'Issue Created', stream: ['issue_opened'] },
  issue_updated: { label: 'Issue Updated', stream: ['issue_updated'] },
  issue_closed: { label: 'Issue Closed', stream: ['issue_closed'] },
  issue_reopened: { label: 'Issue Reopened', stream: ['issue_reopened'] },
  issue_deleted: { label: 'Issue Deleted', stream: ['issue_deleted'] },
  pull_request_opened: { label: 'Pull Request Opened', stream: ['change_request_opened'] },
  merge_request_opened: { label: 'Merge Request Opened', stream: ['change_request_opened'] },
  change_request_opened: { label: 'Change Request Opened', stream: ['change_request_opened'] },
  change_request_updated: { label: 'Change Request Updated', stream: ['change_request_updated'] },
  change_request_closed: { label: 'Change Request Closed', stream: ['change_request_closed'] },
  change_request_merged: { label: 'Change Request Merged', stream: ['change_request_merged'] },
  comment_created: { label: 'Comment Created', stream: ['comment_created'] },
  comment_updated: { label: 'Comment Updated', stream: ['comment_updated'] },
  comment_deleted: { label: 'Comment Deleted', stream: ['comment_deleted'] },
  push: { label: 'Push', stream: ['push'] },
  commit_to_main: { label: 'Commit to Main', stream: ['commit_to_main'] },
  cluster_grew: { label: 'Cluster Grew', stream: ['cluster_grew'] },
  every_day: { label: 'Every Day', stream: [] },
  every_week: { label: 'Every Week', stream: [] },
} as const satisfies Record<string, { label: string; stream: readonly TrackerEventType[] }>;
export const flowEvent = memberOf(FLOW_EVENTS);
export type FlowEvent = z.infer<typeof flowEvent>;

/** Events suggested for each tracker type. Users can also select any other event. */
export const OFFERED_EVENTS: Readonly<Record<TrackerType, readonly FlowEvent[]>> = {
  github: ['pull_request_opened', 'issue_opened', 'commit_to_main'],
  gitlab: ['merge_request_opened', 'issue_opened', 'commit_to_main'],
  jira: ['issue_created', 'issue_updated'],
  sample: [],
};

/** Events suggested for a flow that listens to all trackers. */
export const COMMON_EVENTS: readonly FlowEvent[] = [
  'issue_opened',
  'issue_updated',
  'issue_closed',
  'comment_created',
  'change_request_opened',
  'commit_to_main',
  'cluster_grew',
];

/** Bounds of the number of open issues in a cluster that starts a flow. `usual` is the default. */
export const FLOW_CLUSTER_SIZE = { usual: 5, least: 2, most: 100 } as const;

/** Built-in icons. Others can be uploaded. */
export const FLOW_ICONS = ['gear', 'file-earmark-text', 'tag', 'bug', 'lightbulb', 'rocket'] as const;
/** Maximum size of an uploaded icon in bytes. */
export const MAX_ICON_BYTES = 64 * 1024;
const UPLOADED_ICON = /^data:image\/(?:png|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
/** A name of {@link FLOW_ICONS}, or a PNG or WebP image as a data URL. */
export const flowIcon = z
  .string()
  .refine(
    (icon) => (FLOW_ICONS as readonly string[]).includes(icon) || UPLOADED_ICON.test(icon),
    'An icon must be one of the built-in names, or a PNG or WebP picture.',
  )
  .refine((icon) => icon.length <= 40 + Math.ceil(MAX_ICON_BYTES / 3) * 4, 'An icon may have at most 64 kB.');

/** Fields of an event that filters can check, with labels. */
export const FILTER_FIELDS = {
  title: { label: 'Title' },
  description: { label: 'Description' },
  label: { label: 'Label' },
  author: { label: 'Author' },
  assignee: { label: 'Assignee' },
  issue_type: { label: 'Type' },
  priority: { label: 'Priority' },
  state: { label: 'State' },
  actor: { label: 'Actor' },
  comment: { label: 'Comment' },
  branch: { label: 'Branch' },
} as const satisfies Record<string, { label: string }>;
export const filterField = memberOf(FILTER_FIELDS);
export type FilterField = z.infer<typeof filterField>;

export const FILTER_OPERATORS = {
  is: { label: 'is' },
  is_not: { label: 'is not' },
  contains: { label: 'contains' },
  matches: { label: 'matches' },
} as const satisfies Record<string, { label: string }>;

/**
 * A condition on the event. A flow starts only if all of its conditions match.
 * Case is ignored. `matches` searches for an RE2 regular expression. For labels and assignees, one
 * matching value is enough. `is_not` requires that no value matches.
 */
export const triggerFilter = z.object({
  field: filterField,
  op: memberOf(FILTER_OPERATORS),
  value: z.string().min(1, 'Enter a value.').max(500, 'A value has at most 500 characters.'),
});
export type TriggerFilter = z.infer<typeof triggerFilter>;

/**
 * Actions that a flow without a language model performs. `tools` are the tools that the action
 * uses. `needsIssue` is true if the action requires an issue.
 */
export const BUILTIN_ACTIONS = {
  flag_duplicates: {
    label: 'Flag duplicates',
    description: 'Compares the issue with all others and names the likely original in a comment.',
    tools: ['find_similar', 'comment_on_issue'],
    needsIssue: true,
  },
  check_readiness: {
    label: 'Check readiness',
    description:
      'Scores the issue against the Definition of Ready and asks in a comment for what is missing.',
    tools: ['check_compliance', 'comment_on_issue'],
    needsIssue: true,
  },
  suggest_labels: {
    label: 'Suggest labels',
    description: 'Adds the labels that most of the similar issues have.',
    tools: ['find_similar', 'update_issue'],
    needsIssue: true,
  },
  suggest_assignee: {
    label: 'Suggest an assignee',
    description: 'Assigns the person who worked on most of the similar issues.',
    tools: ['find_similar', 'assign_issue'],
    needsIssue: true,
  },
  find_dependencies: {
    label: 'Find dependencies',
    description: 'Links the issues that have to be finished before this one, or wait for it.',
    tools: ['commit_dependency'],
    needsIssue: true,
  },
  report_backlog: {
    label: 'Report on the backlog',
    description: 'Records new, closed and untouched issues.',
    tools: ['find_similar', 'check_compliance'],
    needsIssue: false,
  },
} as const satisfies Record<
  string,
  { label: string; description: string; tools: readonly FlowToolName[]; needsIssue: boolean }
>;
export const builtinAction = memberOf(BUILTIN_ACTIONS);
export type BuiltinAction = z.infer<typeof builtinAction>;

/**
 * True if a flow or preset has no action for the built-in analyst. It can then run only with a
 * language model.
 */
export function needsModel({ builtin_actions }: { builtin_actions: readonly BuiltinAction[] }): boolean {
  return builtin_actions.length === 0;
}

/**
 * True if every action of the flow requires an issue. False for flows with a language model.
 */
export function needsIssue({
  ai_model_id,
  builtin_actions,
}: {
  ai_model_id: string | null;
  builtin_actions: readonly BuiltinAction[];
}): boolean {
  return ai_model_id === null && builtin_actions.every((action) => BUILTIN_ACTIONS[action].needsIssue);
}

/** Mode in which a flow writes: as proposals that need approval, or immediately. */
export const writeMode = z.enum(['propose', 'apply']);
export type WriteMode = z.infer<typeof writeMode>;

/**
 * Policy of a tool. `allow` applies the write mode of the flow, `ask` requires approval of each
 * call, and `deny` refuses calls.
 */
export const toolPolicy = z.enum(['allow', 'ask', 'deny']);
export type ToolPolicy = z.infer<typeof toolPolicy>;
/** Returns the default policy of a tool. External tools that may write require approval. */
export function defaultPolicy({ isOwn, isReading }: { isOwn: boolean; isReading: boolean }): ToolPolicy {
  return isOwn || isReading ? 'allow' : 'ask';
}
/** Name of a tool on an MCP server, such as `winnow/update_issue`. */
export const toolName = z
  .string()
  .max(200)
  .regex(/^[^/]+\/[^/]+$/, 'A tool is named as server/tool.');

export const FLOW_LIMITS = {
  filters: 20,
  prompt: 20_000,
  servers: 20,
  iterations: { usual: 10, most: 50 },
  /** Maximum cost of one execution, in US dollars. */
  budget: { usual: 1, most: 1_000 },
  /**
   * Maximum input and output tokens of one execution. The default `usual` applies to models without
   * a price, because a budget cannot limit them.
   */
  tokens: { usual: 500_000, most: 100_000_000 },
  /** Maximum duration of an execution, in minutes. */ duration: 15,
  /** Number of identical calls after which an execution ends. */
  repetitions: 4,
  /** Maximum tool calls per model turn and per execution. */
  calls: { ofTurn: 20, most: 300 },
  flows: 500,
  policies: 1_000,
} as const;

const definition = {
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'A name has at most 100 characters.')
    .regex(/^[^\r\n\u2028\u2029]*$/, { error: 'A name is one line.', abort: true }),
  description: z.string().trim().max(1_000, 'A description has at most 1000 characters.').nullable(),
  icon: flowIcon.nullable(),
  is_enabled: z.boolean(),
  /** Id of the tracker whose events start the flow. Null for all trackers. */
  trigger_event_source: id.nullable(),
  trigger_organization_id: id.nullable(),
  trigger_project_id: id.nullable(),
  /** Event that starts the flow. Null for a flow that users start manually. */
  trigger_event_type: flowEvent.nullable(),
  /**
   * For the event `cluster_grew`: the flow starts when a cluster has more open issues than this
   * number. Null for the default.
   */
  trigger_cluster_size: z
    .int('Enter a whole number.')
    .min(FLOW_CLUSTER_SIZE.least, `At least ${FLOW_CLUSTER_SIZE.least} issues.`)
    .max(FLOW_CLUSTER_SIZE.most, `At most ${FLOW_CLUSTER_SIZE.most} issues.`)
    .nullable(),
  /** Filters of the event. Must be empty for scheduled flows, which have no event. */
  trigger_filters: z.array(triggerFilter).max(FLOW_LIMITS.filters),
  /** Id of the language model. Null for the built-in analyst, which performs `builtin_actions`. */
  ai_model_id: id.nullable(),
  builtin_actions: z.array(builtinAction),
  /**
   * Instructions for the language model. Names in double braces are replaced by values of the
   * event.
   */
  prompt_template: z
    .string()
    .max(FLOW_LIMITS.prompt, `A prompt has at most ${FLOW_LIMITS.prompt} characters.`)
    .nullable(),
  /** Names of the MCP servers that the flow may use. `winnow` is Winnow's own server. */
  allowed_mcp_servers: z.array(z.string().trim().min(1).max(100)).max(FLOW_LIMITS.servers),
  /**
   * Policies by tool, named `server/tool`. A tool without an entry has the policy `allow`, or `ask`
   * if it is external and may write.
   */
  tool_policies: z
    .record(toolName, toolPolicy)
    .refine(
      (policies) => Object.keys(policies).length <= FLOW_LIMITS.policies,
      `A flow has policies for at most ${FLOW_LIMITS.policies} tools.`,
    ),
  write_mode: writeMode,
  /** Maximum model turns. Null for the default. */
  max_iterations: z
    .int('Enter a whole number.')
    .min(1, 'At least 1 iteration.')
    .max(FLOW_LIMITS.iterations.most, `At most ${FLOW_LIMITS.iterations.most} iterations.`)
    .nullable(),
  /**
   * Maximum cost of one execution, in US dollars. Null for the default. 0 prevents all calls to
   * language models, including models without a known price.
   */
  max_budget: z
    .number()
    .min(0, 'A budget must be 0 or more.')
    .max(FLOW_LIMITS.budget.most, `At most ${FLOW_LIMITS.budget.most} dollars.`)
    .nullable(),
  /**
   * Maximum input and output tokens of one execution. Null for no limit. For models without a known
   * price, null means the default limit.
   */
  max_tokens: z
    .int('Enter a whole number.')
    .min(0, 'A limit must be 0 or more.')
    .max(FLOW_LIMITS.tokens.most, `At most ${FLOW_LIMITS.tokens.most} tokens.`)
    .nullable(),
} as const;

/** The definition of a flow: its trigger, filters, instructions, tools and limits. */
export const flowDefinition = z.object(definition);
export type FlowDefinition = z.infer<typeof flowDefinition>;

const blank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), schema);

/**
 * Fields of a definition as users enter them. Blank texts become null, and duplicate actions are
 * removed.
 */
const entered = {
  ...definition,
  name: definition.name.refine((name) => name.search(INVISIBLE_CHARACTERS) === -1, {
    message: 'A name is one line without hidden characters. Type it instead of pasting it.',
  }),
  description: blank(definition.description),
  icon: blank(definition.icon),
  trigger_event_source: blank(definition.trigger_event_source),
  trigger_organization_id: blank(definition.trigger_organization_id),
  trigger_project_id: blank(definition.trigger_project_id),
  trigger_event_type: blank(definition.trigger_event_type),
  ai_model_id: blank(definition.ai_model_id),
  builtin_actions: definition.builtin_actions.transform((chosen) =>
    builtinAction.options.filter((action) => chosen.includes(action)),
  ),
  prompt_template: blank(definition.prompt_template),
} as const;

/** A new flow. Omitted fields get their default values. */
export const flowCreate = z.object({
  ...entered,
  description: entered.description.default(null),
  icon: entered.icon.default('gear'),
  is_enabled: entered.is_enabled.default(true),
  trigger_event_source: entered.trigger_event_source.default(null),
  trigger_organization_id: entered.trigger_organization_id.default(null),
  trigger_project_id: entered.trigger_project_id.default(null),
  trigger_event_type: entered.trigger_event_type.default(null),
  trigger_cluster_size: entered.trigger_cluster_size.default(null),
  trigger_filters: entered.trigger_filters.default([]),
  ai_model_id: entered.ai_model_id.default(null),
  builtin_actions: entered.builtin_actions.default([]),
  prompt_template: entered.prompt_template.default(null),
  allowed_mcp_servers: entered.allowed_mcp_servers.default([]),
  tool_policies: entered.tool_policies.default({}),
  write_mode: entered.write_mode.default('propose'),
  max_iterations: entered.max_iterations.default(null),
  max_budget: entered.max_budget.default(null),
  max_tokens: entered.max_tokens.default(null),
  /** True to save the definition as a preset of the account too. */
  is_preset: z.boolean().default(false),
});
export type FlowCreate = z.infer<typeof flowCreate>;

/** Changes to a flow. Omitted fields stay unchanged. */
export const flowUpdate = z.object({ ...entered, is_preset: z.boolean() }).partial();
export type FlowUpdate = z.infer<typeof flowUpdate>;

/** Statuses of an execution, with label and semantic color. */
export const EXECUTION_STATUSES = {
  PENDING: { label: 'Pending', tone: 'neutral', ended: false },
  RUNNING: { label: 'Running', tone: 'primary', ended: false },
  SUCCEEDED: { label: 'Succeeded', tone: 'success', ended: true },
  FAILED: { label: 'Failed', tone: 'danger', ended: true },
  STOPPED: { label: 'Stopped', tone: 'neutral', ended: true },
} as const satisfies Record<string, { label: string; tone: string; ended: boolean }>;
export const executionStatus = memberOf(EXECUTION_STATUSES);
export type ExecutionStatus = z.infer<typeof executionStatus>;

export const flow = flowDefinition.extend({
  id,
  account_id: id,
  is_preset: z.literal(false),
  created_at: instant,
  updated_at: instant,
  /**
   * A sentence about the problem that prevents the flow from starting, such as a removed tracker or
   * slow filters. Null if the flow can start.
   */
  problem: z.string().nullable(),
  last_execution: z
    .object({ id, status: executionStatus, start_time: instant.nullable(), end_time: instant.nullable() })
    .nullable(),
});
export type Flow = z.infer<typeof flow>;
export const flowList = z.array(flow);

/**
 * A template for flows. A preset is either built in and identified by a name, or saved by the
 * account.
 */
export const flowPreset = flowDefinition
  .omit({
    is_enabled: true,
    trigger_event_source: true,
    trigger_organization_id: true,
    trigger_project_id: true,
    ai_model_id: true,
  })
  .extend({
    id: z.string(),
    /** Id of the account that saved the preset. Null for a built-in preset. */
    account_id: id.nullable(),
    is_preset: z.literal(true),
  });
export type FlowPreset = z.infer<typeof flowPreset>;
export const flowPresetList = z.array(flowPreset);

/** The event that started an execution, with the field values at that time. */
export const triggerEvent = z.object({
  /** Type of the event. Null for a manual run without an event. */
  type: z.string().nullable(),
  /** Name of the person who caused the event in the tracker. */
  actor: z.string().nullable(),
  occurred_at: instant,
  project_id: id.nullable(),
  project: z.string().nullable(),
  issue_id: id.nullable(),
  issue_key: z.string().nullable(),
  issue_title: z.string().nullable(),
  url: z.string().nullable(),
  /** Further details from the tracker, such as the comment or the branch. */
  details: z.record(z.string(), z.string()),
  /** Number of later events of the same type and issue that this execution also handles. */
  coalesced: z.int().min(0),
});
export type TriggerEvent = z.infer<typeof triggerEvent>;

/** An action that an execution has performed, for display to users. */
export const actionTaken = z.object({
  /** Name of the tool or of the built-in action. */
  action: z.string(),
  target_key: z.string().nullable(),
  summary: z.string(),
  /** Id of the resulting change in the ledger. */
  change_id: id.nullable(),
});
export type ActionTaken = z.infer<typeof actionTaken>;

export const flowExecution = z.object({
  id,
  flow_id: id,
  flow_name: z.string(),
  status: executionStatus,
  created_at: instant,
  start_time: instant.nullable(),
  end_time: instant.nullable(),
  trigger_event: triggerEvent,
  /** True for a dry run, which writes and proposes nothing. */
  dry_run: z.boolean(),
  /** Name of the language model. Null for the built-in analyst. */
  ai_model_name: z.string().nullable(),
  /** Final message of the language model. */
  result: z.string().nullable(),
  /** Reason for the failure, as a sentence. */
  error_message: z.string().nullable(),
  actions_taken_summary: z.array(actionTaken),
  tool_calls_count: z.int(),
  /** Cost so far, in US dollars. */
  budget_used: z.number(),
  tokens: z.object({ input: z.int(), output: z.int() }),
  iterations: z.int(),
  change_ids: z.array(id),
  /** Id of the earlier execution that this execution retries. */
  retry_of: id.nullable(),
});
export type FlowExecution = z.infer<typeof flowExecution>;
export const flowExecutionList = z.array(flowExecution);

export const executionsQuery = z.object({
  ...pageQuery(20),
  flow_id: id.optional(),
  status: executionStatus.optional(),
});

/** Types of log entries of an execution. */
export const logType = z.enum([
  'event',
  'prompt',
  'model_call',
  'message',
  'tool_call',
  'tool_result',
  'change',
  'status',
  'error',
]);
export type LogType = z.infer<typeof logType>;

export const executionLog = z.object({
  /** Number of the log entry. The first entry of an execution has number 1. */
  seq: z.int().min(1),
  timestamp: instant,
  type: logType,
  payload: z.record(z.string(), jsonValue),
});
export type ExecutionLog = z.infer<typeof executionLog>;
/** Number of a log entry as a query parameter. 0 means before the first entry. */
export const logNumber = z.coerce.number().int().min(0).max(2_147_483_647);
export const executionLogsQuery = z.object({
  /** Limits the response to entries after the entry with this number. */
  after: logNumber.default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});
export const executionLogs = z.object({ logs: z.array(executionLog), total: z.int() });

/** Subject of a manual run: an issue, a past event, or neither. */
export const flowRun = z.object({
  issue_key: z.string().trim().min(1).max(300).optional(),
  /** Id of the past event. */
  event: z.int().min(1).optional(),
  dry_run: z.boolean().default(false),
});
export type FlowRun = z.infer<typeof flowRun>;

/**
 * Past events, newest first. A user can choose one to try a flow or its preview. `event` is the id
 * of the past event.
 */
export const pastEvent = triggerEvent.omit({ coalesced: true }).extend({ event: z.int() });
export type PastEvent = z.infer<typeof pastEvent>;
export const pastEvents = z.array(pastEvent);
export const pastEventsQuery = z.object({
  trigger_event_source: id.optional(),
  trigger_organization_id: id.optional(),
  trigger_project_id: id.optional(),
  trigger_event_type: flowEvent.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});

/**
 * Requests the preview of a flow for an event or an issue. The preview contains the completed
 * prompt, and states which filters match.
 */
export const flowPreviewRequest = z.object({
  prompt_template: entered.prompt_template.default(null),
  trigger_filters: entered.trigger_filters.default([]),
  /** Id of the tracker in which the issue key is searched. */
  trigger_event_source: id.nullable().default(null),
  trigger_organization_id: id.nullable().default(null),
  trigger_project_id: id.nullable().default(null),
  event: z.int().min(1).optional(),
  issue_key: z.string().trim().min(1).max(300).optional(),
});
export type FlowPreviewRequest = z.infer<typeof flowPreviewRequest>;
export const flowPreview = z.object({
  prompt: z.string(),
  /** One entry per filter, in the order of the filters. True if the filter matches. */
  filters: z.array(z.boolean()),
  passes: z.boolean(),
});
export type FlowPreview = z.infer<typeof flowPreview>;

/** Variables of a prompt template, with descriptions. */
export const TEMPLATE_VARIABLES = {
  'event.type': 'What happened, such as issue_opened',
  'event.actor': 'The user who caused the event',
  'event.time': 'When it happened',
  'event.comment': 'The text of the comment, for comment events',
  'event.branch': 'The branch of a push',
  'event.commits': 'The commit messages of a push',
  'cluster.id': 'The id of the cluster that grew',
  'cluster.name': 'The name of the cluster',
  'cluster.size': 'The number of open issues in the cluster',
  'issue.key': 'The key, such as acme/web#12',
  'issue.title': 'The title',
  'issue.description': 'The description',
  'issue.state': 'opened or closed',
  'issue.type': 'The type, such as bug',
  'issue.priority': 'The priority',
  'issue.labels': 'The labels, separated by commas',
  'issue.author': 'Who wrote it',
  'issue.assignees': 'The assignees, separated by commas',
  'issue.url': 'The address in the tracker',
  'project.name': 'The name of the project',
  'project.identifier': 'The identifier, such as acme/web',
  'account.name': 'The name of your account',
} as const satisfies Record<string, string>;
export type TemplateVariable = keyof typeof TEMPLATE_VARIABLES;

/** Types of live messages about an execution that a user is watching. */
export const flowLiveType = z.enum(['status_update', 'tool_call', 'budget_update', 'log']);
export const flowLiveMessage = z.object({
  execution_id: id,
  type: flowLiveType,
  payload: z.record(z.string(), jsonValue),
  timestamp: instant,
});
export type FlowLiveMessage = z.infer<typeof flowLiveMessage>;
