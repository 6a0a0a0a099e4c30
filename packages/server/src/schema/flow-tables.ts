import type {
  ActionTaken,
  ExecutionStatus,
  FlowDefinition,
  FlowEvent,
  LogType,
  TriggerEvent,
} from '@winnow/contract/flow';
import type { McpAuthType, McpServerTool } from '@winnow/contract/mcp-server';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Instant } from './column-kinds.ts';

export interface McpServerTable {
  account_id: string;
  id: string;
  name: string;
  url: string;
  auth_type: McpAuthType;
  header_name: string | null;
  /** What the server is shown, sealed; null where nothing is. */
  sealed_secret: Buffer | null;
  status: Generated<'ok' | 'error' | 'unknown'>;
  status_message: string | null;
  tools: JSONColumnType<McpServerTool[], string | undefined, string>;
  checked_at: Instant | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** What of a flow is not looked for by itself. */
export type FlowRest = Omit<
  FlowDefinition,
  | 'name'
  | 'is_enabled'
  | 'trigger_event_source'
  | 'trigger_organization_id'
  | 'trigger_project_id'
  | 'trigger_event_type'
  | 'ai_model_id'
>;

export interface FlowTable {
  account_id: string;
  id: string;
  name: string;
  is_enabled: boolean;
  tracker_id: string | null;
  organization_id: string | null;
  project_id: string | null;
  /** Null for a flow that is only run by hand. */
  event_type: FlowEvent | null;
  ai_model_id: string | null;
  definition: JSONColumnType<FlowRest>;
  /** The day or week that the clock has started it for last. */
  started_for: Generated<Date | null>;
  /** When it took too long last to tell whether its filters let an event pass, and the issue or project of that; until it is saved. */
  missed_at: Generated<Date | null>;
  missed_on: Generated<string | null>;
  created_at: Instant;
  updated_at: Instant;
}

export interface FlowPresetTable {
  account_id: string;
  id: string;
  definition: JSONColumnType<FlowRest & Pick<FlowDefinition, 'name' | 'trigger_event_type'>>;
  created_at: Instant;
}

export interface FlowExecutionTable {
  account_id: string;
  id: string;
  flow_id: string;
  status: ExecutionStatus;
  /** Somebody wants it to end; whoever runs it does so at the next step. */
  stop_asked: Generated<boolean>;
  /** How often it was begun to be run; only who began it last writes down what comes of it. */
  attempts: Generated<number>;
  /** The number of the last entry of its log. */
  log_entries: Generated<number>;
  /** The flow as it was when this was started, and what stands for where the outside servers that it names were then. */
  definition: JSONColumnType<FlowDefinition & { server_addresses?: Record<string, string> }>;
  trigger_event: JSONColumnType<TriggerEvent>;
  /** The issue that the event is about. */
  issue_id: string | null;
  /** The project that the execution is bound to. */
  project_id: string | null;
  dry_run: boolean;
  ai_model_name: string | null;
  /** The conversation with the model as far as it got: what a restarted worker goes on from. */
  state: JSONColumnType<object> | null;
  /** Since when the next turn waits for a model that is down; null if it does not. */
  model_wait_since: Instant | null;
  /** The calls that the model made, and how far those of its last turn are. */
  calls: JSONColumnType<object> | null;
  result: string | null;
  error_message: string | null;
  actions: JSONColumnType<ActionTaken[], string | undefined, string>;
  change_ids: Generated<string[]>;
  tool_calls_count: Generated<number>;
  /** Dollars. */
  budget_used: Generated<number>;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  iterations: Generated<number>;
  retry_of: string | null;
  created_at: Instant;
  start_time: Instant | null;
  end_time: Instant | null;
}

export interface FlowEventTable {
  account_id: string;
  flow_id: string;
  /** Of the stream of tracker events. */
  event_id: number;
  execution_id: string;
}

export interface FlowLogTable {
  account_id: string;
  execution_id: string;
  /** Grows by one within its execution. */
  seq: number;
  at: Instant;
  type: LogType;
  payload: JSONColumnType<Record<string, unknown>>;
}
