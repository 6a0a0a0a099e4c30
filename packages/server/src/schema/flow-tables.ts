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
  /** Encrypted credentials for the MCP server. Null if it needs none. */
  sealed_secret: Buffer | null;
  status: Generated<'ok' | 'error' | 'unknown'>;
  status_message: string | null;
  tools: JSONColumnType<McpServerTool[], string | undefined, string>;
  checked_at: Instant | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** Part of a flow definition that is stored as JSON, because no query filters by its fields. */
export type StoredDefinition = Omit<
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
  /** Member for whom the flow acts. Null after that user's account was deleted. */
  owner_id: string | null;
  name: string;
  is_enabled: boolean;
  tracker_id: string | null;
  organization_id: string | null;
  project_id: string | null;
  /** Event that starts the flow. Null if users start it manually. */
  event_type: FlowEvent | null;
  ai_model_id: string | null;
  definition: JSONColumnType<StoredDefinition>;
  /** Start of the day or week for which the schedule last started the flow. */
  started_for: Generated<Date | null>;
  /**
   * Time when evaluating the flow's filters last took too long; `missed_on` is the issue or
   * project. Saving the flow clears both.
   */
  missed_at: Generated<Date | null>;
  missed_on: Generated<string | null>;
  created_at: Instant;
  updated_at: Instant;
}

export interface FlowPresetTable {
  account_id: string;
  id: string;
  definition: JSONColumnType<StoredDefinition & Pick<FlowDefinition, 'name' | 'trigger_event_type'>>;
  created_at: Instant;
}

export interface FlowExecutionTable {
  account_id: string;
  id: string;
  flow_id: string;
  /** User who started it; null if an event or a schedule did. */
  started_by: Generated<string | null>;
  status: ExecutionStatus;
  /** True if a user asked to stop the execution. It stops before its next step. */
  stop_asked: Generated<boolean>;
  /** Number of attempts started. Only the latest attempt may store its outcome. */
  attempts: Generated<number>;
  /** Sequence number of the last log entry. */
  log_entries: Generated<number>;
  /**
   * Definition of the flow when the execution started, with a hash of each MCP server's address.
   */
  definition: JSONColumnType<FlowDefinition & { server_addresses?: Record<string, string> }>;
  trigger_event: JSONColumnType<TriggerEvent>;
  /** Issue of the event that started the flow. */
  issue_id: string | null;
  /** Project that the execution may access. Null if it may access all. */
  project_id: string | null;
  dry_run: boolean;
  ai_model_name: string | null;
  /** Conversation with the model so far. A restarted worker continues from it. */
  state: JSONColumnType<object> | null;
  /** Time since when the execution waits for an unavailable model. Null if it does not wait. */
  model_wait_since: Instant | null;
  /** Tool calls that the model requested, and the progress of the calls in its latest turn. */
  calls: JSONColumnType<object> | null;
  result: string | null;
  error_message: string | null;
  actions: JSONColumnType<ActionTaken[], string | undefined, string>;
  change_ids: Generated<string[]>;
  tool_calls_count: Generated<number>;
  /** Cost of the model calls so far, in US dollars. */
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
  /** Id of the tracker event that started the execution. */
  event_id: number;
  execution_id: string;
}

export interface FlowLogTable {
  account_id: string;
  execution_id: string;
  /** Number of the log entry within the execution, increasing by one. */
  seq: number;
  at: Instant;
  type: LogType;
  payload: JSONColumnType<Record<string, unknown>>;
}
