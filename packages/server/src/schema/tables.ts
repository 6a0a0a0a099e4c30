import type { ImplyingTexts } from '@winnow/analysis/dependencies';
import type { AiProvider } from '@winnow/contract/ai-model';
import type { Scope } from '@winnow/contract/api-key';
import type { ChangeKind, ChangeStatus, StepAction, StepFields, StepStatus } from '@winnow/contract/change';
import type {
  ComplianceResult,
  ComplianceRunState,
  Criterion,
  CriterionResult,
} from '@winnow/contract/compliance';
import type { Resolution } from '@winnow/contract/duplicate';
import type { IssueState, StatusFilter } from '@winnow/contract/issue';
import type { Headcount, LeadTracker } from '@winnow/contract/lead';
import type { SyncState, TrackerType, WebhookState } from '@winnow/contract/tracker';
import type { TrackerEventType } from '@winnow/contract/tracker-event';
import type { AiFeature, UsageKind } from '@winnow/contract/usage';
import type { VerdictDecision } from '@winnow/contract/verdict';
import type { ColumnType, Generated, JSONColumnType, Kysely } from 'kysely';
import type {
  CustomPlanTable,
  PlanUsageTable,
  StripeEventTable,
  SubscriptionTable,
} from './billing-tables.ts';
import type { Instant, InstantByDefault } from './column-kinds.ts';
import type {
  FlowEventTable,
  FlowExecutionTable,
  FlowLogTable,
  FlowPresetTable,
  FlowTable,
  McpServerTable,
} from './flow-tables.ts';

/**
 * Every table of the product, column by column. Each tenant table's key begins with `account_id`.
 * The migrations beside this file make them; the two change together.
 */
export interface Tables {
  account: AccountTable;
  app_user: UserTable;
  session: SessionTable;
  refresh_token: RefreshTokenTable;
  one_time_token: OneTimeTokenTable;
  api_key: ApiKeyTable;
  attempt: AttemptTable;
  lead: LeadTable;
  usage_counter: UsageCounterTable;
  plan_usage: PlanUsageTable;
  subscription: SubscriptionTable;
  custom_plan: CustomPlanTable;
  stripe_event: StripeEventTable;
  api_usage: ApiUsageTable;
  tracker: TrackerTable;
  scope_rule: ScopeRuleTable;
  organization: OrganizationTable;
  project: ProjectTable;
  project_webhook: ProjectWebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  tracker_event: TrackerEventTable;
  issue: IssueTable;
  present_item: PresentItemTable;
  comment: CommentTable;
  issue_vector: IssueVectorTable;
  search_document: SearchDocumentTable;
  search_stale: SearchStaleTable;
  analysis_state: AnalysisStateTable;
  ai_model: AiModelTable;
  ai_call: AiCallTable;
  pair: PairTable;
  verdict: VerdictTable;
  suggestion: SuggestionTable;
  dependency: DependencyTable;
  issue_links_read: IssueLinksReadTable;
  dependency_question: DependencyQuestionTable;
  dependency_stale: DependencyStaleTable;
  dependency_reading: DependencyReadingTable;
  dependency_finding: DependencyFindingTable;
  compliance_prompt: CompliancePromptTable;
  compliance_result: ComplianceResultTable;
  compliance_suggestion: ComplianceSuggestionTable;
  compliance_run: ComplianceRunTable;
  change: ChangeTable;
  change_issue: ChangeIssueTable;
  change_step: ChangeStepTable;
  mcp_server: McpServerTable;
  flow: FlowTable;
  flow_preset: FlowPresetTable;
  flow_execution: FlowExecutionTable;
  flow_event: FlowEventTable;
  flow_log: FlowLogTable;
  sample_issue: SampleIssueTable;
  sample_comment: SampleCommentTable;
  sample_link: SampleLinkTable;
}

/** A connection to the product's database, typed with its tables; a transaction of it is one too. */
export type Db = Kysely<Tables>;

export interface AccountTable {
  id: string;
  created_at: InstantByDefault;
  /** When its owner asked for all of it to be removed, which is being done. */
  leaving_at: Instant | null;
}

export interface UserTable {
  account_id: string;
  id: string;
  username: string;
  email: string;
  full_name: string | null;
  /** argon2id; null while the user is `pending`. */
  password_hash: string | null;
  state: 'active' | 'pending';
  email_verified_at: Instant | null;
  created_at: InstantByDefault;
}

export interface SessionTable {
  account_id: string;
  id: string;
  user_id: string;
  created_at: InstantByDefault;
  revoked_at: Instant | null;
}

export interface RefreshTokenTable {
  token_hash: Buffer;
  account_id: string;
  session_id: string;
  created_at: InstantByDefault;
  expires_at: Instant;
  spent_at: Instant | null;
}

/** The open token of a mailed link: one for each purpose of a user. A token that was used is not here any more. */
export interface OneTimeTokenTable {
  account_id: string;
  user_id: string;
  purpose: 'onboarding' | 'verify_email' | 'reset_password';
  token_hash: Buffer;
  expires_at: Instant;
}

/** A key that programs call with. One that was revoked is not here any more. */
export interface ApiKeyTable {
  account_id: string;
  id: string;
  /** Who made it. */
  user_id: string;
  name: string;
  /** The first characters of the key, which its owner tells it by. */
  prefix: string;
  /** SHA-256 of the key, unique over all accounts. */
  key_hash: Buffer;
  scopes: Scope[];
  created_at: Instant;
  expires_at: Instant | null;
  last_used_at: Instant | null;
}

/** What is allowed so often in a time only, such as guessing a password. */
export interface AttemptTable {
  id: string;
  /** SHA-256 of who attempts what. */
  subject: Buffer;
  counts_until: Instant;
}

/** Somebody who wants to be shown the product. They have no account. */
export interface LeadTable {
  id: string;
  name: string;
  email: string;
  role: string;
  org: string;
  headcount: Headcount;
  trackers: LeadTracker[];
  comments: string | null;
  source: string;
  created_at: InstantByDefault;
}

export interface UsageCounterTable {
  account_id: string;
  kind: UsageKind;
  day: ColumnType<string, string, never>;
  count: ColumnType<number, number, number>;
}

/** What one API key asked of one endpoint on one day. */
export interface ApiUsageTable {
  account_id: string;
  day: ColumnType<string, string, never>;
  key_id: string;
  /** The route's pattern, or what an agent asked for. */
  endpoint: string;
  method: string;
  /** Null when the key was revoked before its first use was written. */
  key_name: string | null;
  count: number;
  errors: number;
  /** How many requests took how long; see billing/latency.ts. */
  latency: number[];
}

export interface TrackerTable {
  account_id: string;
  id: string;
  name: string;
  tracker_type: TrackerType;
  url: string;
  username: string | null;
  /** The API key, sealed; null for the sample. */
  sealed_key: Buffer | null;
  is_active: Generated<boolean>;
  login: string | null;
  health_status: Generated<'ok' | 'warning' | 'error' | 'unknown'>;
  health_message: string | null;
  health_checked_at: Instant | null;
  missing_permissions: Generated<string[]>;
  /** What writing with the stored key has shown. */
  write_access: Generated<'unknown' | 'works' | 'refused'>;
  /** The tracker's sentence while writing is refused. */
  write_refusal: string | null;
  sync_state: Generated<SyncState>;
  sync_done: number | null;
  sync_total: number | null;
  sync_finished_at: Instant | null;
  sync_error: string | null;
  /** How many syncs in a row ended with nothing that could be read. */
  sync_failures: Generated<number>;
  /** What the tracker proves itself with when it calls us, sealed; null until it is first needed. */
  sealed_webhook_secret: Buffer | null;
  /** Grows each time the secret is replaced. */
  webhook_secret_version: Generated<number>;
  /** The secret before this one, sealed, as long as it may still be in use. */
  sealed_former_webhook_secret: Buffer | null;
  webhook_secret_replaced_at: Instant | null;
  webhook_state: Generated<WebhookState>;
  /** When a webhook last told of something in scope. */
  webhook_event_at: Instant | null;
  created_at: InstantByDefault;
  updated_at: InstantByDefault;
}

export interface ScopeRuleTable {
  account_id: string;
  id: string;
  tracker_id: string;
  position: number;
  rule_type: 'INCLUDE' | 'EXCLUDE';
  scope_type: 'ORGANIZATION' | 'PROJECT';
  identifier: string;
}

export interface OrganizationTable {
  account_id: string;
  id: string;
  tracker_id: string;
  identifier: string;
  name: string;
}

export interface ProjectTable {
  account_id: string;
  id: string;
  tracker_id: string;
  organization_id: string;
  external_id: string;
  identifier: string;
  name: string;
  /** Where the provider goes on reading issues; its own words. */
  issues_cursor: string | null;
  comments_cursor: string | null;
  /** The cursor of issues up to which all comments were read. */
  comments_as_of: string | null;
  /** When what is stored is to be compared with what the tracker has; null before the first time is set. */
  reconcile_after: Instant | null;
  /** Where an unfinished walk through all that the tracker has goes on; `''` when only what it found is left to look at. */
  present_cursor: string | null;
  /** How many more items the tracker counts than there are, as the last such walk has shown. */
  count_surplus: Generated<number>;
  /** Since when the tracker says that there is no such project. */
  gone_since: Instant | null;
  /** Since when the plan's amount leaves out new issues, and where reading was before: there it goes on when there is more. */
  left_out_since: Instant | null;
  left_out_issues_cursor: string | null;
  left_out_comments_cursor: string | null;
  created_at: InstantByDefault;
}

/** What became of having a tracker call us about a project. It outlives the project, whose hook is then to be removed. */
export interface ProjectWebhookTable {
  account_id: string;
  tracker_id: string;
  project_external_id: string;
  project_identifier: string;
  /** `refused`: the credentials may not, so the project is polled. */
  state: 'registered' | 'refused' | 'failed';
  /** Our address that it calls, or was to call. */
  url: string;
  /** The tracker's address when it was made. */
  tracker_url: string;
  hook_id: string | null;
  /** SHA-256 of the connection it was tried with. */
  credentials_hash: Buffer;
  /** Version of the secret it was given. */
  secret_version: number;
  /** Why there is none, in the tracker's sentence. */
  problem: string | null;
  /** When it was last made, or seen to be there; null where it has to be looked at. */
  checked_at: Instant | null;
  /** Since when reading finds what it should have told; null while it tells. */
  missed_since: Instant | null;
  /** It was missed for so long that it counts as one that does not work. */
  is_silent: Generated<boolean>;
}

/** A delivery that was taken in, so that the same one does nothing again. */
export interface WebhookDeliveryTable {
  account_id: string;
  tracker_id: string;
  /** The tracker's id of it, or a hash of its body where it has none. */
  delivery_id: string;
  received_at: Instant;
}

/** Something that happened in a tracker, in the order we heard of it. */
export interface TrackerEventTable {
  account_id: string;
  id: Generated<number>;
  project_id: string;
  type: TrackerEventType;
  issue_external_id: string | null;
  comment_external_id: string | null;
  actor: string | null;
  /** What reading found of an issue happened between this and `occurred_at`; null where the time is known. */
  happened_after: Instant | null;
  occurred_at: Instant;
  received_at: Instant;
  source: 'webhook' | 'polling';
  details: JSONColumnType<Record<string, string>>;
  /** The step of a change that did it, where that shows. */
  step_id: string | null;
  /** The same for the same thing, whoever tells of it. */
  event_key: string;
  /** How often webhooks told of it. */
  deliveries: Generated<number>;
  /** When what it names was read from the tracker; null while it is still to be. */
  handled_at: Instant | null;
  /** When the flows that listen were started; null while that is still to be. */
  matched_at: Generated<Date | null>;
  /** How the issue stood with us when a webhook told of it; null where it was not here, or reading found the event. */
  known_standing: string | null;
}

export interface IssueTable {
  account_id: string;
  id: string;
  tracker_id: string;
  project_id: string;
  external_id: string;
  key: string;
  title: string;
  description: string;
  status: string;
  state: IssueState;
  issue_type: string;
  priority: string | null;
  labels: string[];
  assignees: string[];
  author: string | null;
  url: string;
  parent_key: string | null;
  /** Closed as a duplicate, also where the tracker does not tell of what. */
  is_duplicate: boolean;
  /** Key of the issue this one was closed as a duplicate of, as far as the tracker or our own closing tells. */
  duplicate_of: string | null;
  comments_count: number;
  created_at: Instant;
  updated_at: Instant;
  content_hash: string;
  /** The content hash the pairs of this issue were last computed for. */
  analyzed_hash: string | null;
  /** The account's revision with which the issue's content last changed. */
  revision: number;
  /** Since when its tracker says that it is gone; null while it is there. */
  missing_since: Instant | null;
}

/** What an unfinished walk through all that a project has in its tracker has found so far. */
export interface PresentItemTable {
  account_id: string;
  project_id: string;
  external_id: string;
}

export interface CommentTable {
  account_id: string;
  id: string;
  issue_id: string;
  external_id: string;
  author: string | null;
  body: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface IssueVectorTable {
  account_id: string;
  issue_id: string;
  /** What made the vector; vectors of different fingerprints are never compared. */
  fingerprint: string;
  /** SHA-256 of the text that was embedded. */
  text_hash: Buffer;
  /** Little-endian int16, one per dimension, in units of 1/32767. */
  vector: Buffer;
}

/** What an issue, a change request or a comment is found by. */
export interface SearchDocumentTable {
  account_id: string;
  /** Of the issue or of the comment. */
  id: string;
  issue_id: string;
  comment_id: string | null;
  project_id: string;
  item_type: 'issue' | 'change_request' | 'comment';
  state: IssueState;
  created_at: Instant;
  /** The terms of the title and of the first words, which decide the order. */
  lead: string;
  /** All terms. */
  words: string;
}

/** Issues and comments whose text has changed since it was indexed for search. Triggers fill it. */
export interface SearchStaleTable {
  account_id: string;
  id: string;
}

export interface AnalysisStateTable {
  account_id: string;
  /** Goes up, in the same transaction, whenever issues of the account come, change or go. */
  revision: Generated<number>;
  snapshot_version: Generated<number>;
  /** Mean vector and IDF table, encoded by the analysis package. */
  snapshot: Buffer | null;
  /** Of the vectors the snapshot was taken of; null when words alone were compared. */
  fingerprint: string | null;
  state: Generated<'idle' | 'analyzing'>;
  done: Generated<number>;
  total: Generated<number>;
  /** Why the last analysis had to do without something, in a sentence. */
  notice: string | null;
}

/** A language model of an account. At most one is the default; without one, the built-in analyst works. */
export interface AiModelTable {
  account_id: string;
  id: string;
  name: string;
  provider_name: AiProvider;
  model_identifier: string;
  api_url: string;
  /** The API key, sealed; null where none is needed. */
  sealed_key: Buffer | null;
  is_default: boolean;
  /** Its address and key are those that the operator's configuration has for its name. */
  is_offered: Generated<boolean>;
  created_at: InstantByDefault;
}

/** What a question to a language model took. It outlives the model, and holds nothing of what was asked or answered. */
export interface AiCallTable {
  account_id: string;
  id: string;
  at: Instant;
  feature: AiFeature;
  /** Null for a model that was only tried out. */
  ai_model_id: string | null;
  model_name: string;
  provider_name: AiProvider;
  model_identifier: string;
  /** Name and version of the prompt. */
  prompt: string;
  answers: number;
  input_tokens: number | null;
  output_tokens: number | null;
  /** US dollars by the provider's list; null where that is not known. */
  cost: number | null;
  duration_ms: number;
  outcome: string;
}

export interface PairTable {
  account_id: string;
  id: string;
  /** Of the two the one whose id comes first, so that a pair is stored once. */
  issue_a: string;
  issue_b: string;
  project_a: string;
  project_b: string;
  same_project: boolean;
  both_open: boolean;
  similarity: number;
  snapshot_version: number;
  /** When the run began that found this pair last. */
  scored_at: Instant;
  resolution: Resolution | null;
  /** The change that resolved it. */
  change_id: string | null;
  dismissed: Generated<boolean>;
  /** A decision about it was taken back: it is listed, and not suggested again. */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/** What a language model said of two issues, and who asks one about them just now. */
export interface VerdictTable {
  account_id: string;
  /** Of the two the one whose id comes first. */
  issue_a: string;
  issue_b: string;
  /** SHA-256 of all that the last question depended on: texts, prompt, model. */
  asked_as: Buffer;
  /** Until then nobody else asks the same: it is under way, or has just failed. */
  asked_until: Instant;
  has_failed: boolean;
  /** The same of the question that was answered last; null before there was an answer, as is all that follows. */
  decided_as: Buffer | null;
  decision: Exclude<VerdictDecision, 'checking'> | null;
  confidence: number | null;
  reason: string | null;
  ai_model_id: string | null;
  ai_model_name: string | null;
  /** Name and version of the prompt. */
  prompt: string | null;
  decided_at: Instant | null;
}

/** What a language model wrote to resolve a pair. */
export interface SuggestionTable {
  account_id: string;
  /** In the order asked for: a merge is into the first. */
  issue_1: string;
  issue_2: string;
  /** Which prompt, in any version. */
  prompt: string;
  /** SHA-256 of all that the question depended on. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

/** One issue has to be finished before another can be. */
export interface DependencyTable {
  account_id: string;
  /** What has to be finished first. */
  source_issue: string;
  dependent_issue: string;
  /** Why, as it was found in the texts; null for one that only its tracker told. */
  reason: string | null;
  confidence: number | null;
  /** Who found it: the built-in analyst, or a model by its name. */
  found_by: string | null;
  /** The tracker had it when it was last asked, or has just taken it from us. */
  in_tracker: Generated<boolean>;
  /** The change that committed it, while that stands. */
  change_id: string | null;
  /** Somebody said that there is no such dependency. */
  dismissed: Generated<boolean>;
  /** Committing it was taken back: it is listed, and not proposed again. */
  undone: Generated<boolean>;
  created_at: InstantByDefault;
}

/** When a tracker was last asked for the links of an issue. */
export interface IssueLinksReadTable {
  account_id: string;
  issue_id: string;
  read_at: Instant;
}

/** An issue whose texts are to be read for dependencies. Triggers note it; with each change of its texts anew. */
export interface DependencyStaleTable {
  account_id: string;
  issue_id: string;
  noted: Generated<number>;
}

/** What was read in the texts of an issue, so that they need not be read again. */
export interface DependencyReadingTable {
  account_id: string;
  issue_id: string;
  /** Tells one reading from the next. */
  noted: number;
  /** The key that the issue had. */
  key: string;
  /** Keys that its texts name and no issue had. */
  missing: string[];
  texts: JSONColumnType<ImplyingTexts>;
  /** The snapshot by whose weights implied dependencies were looked for; 0 when they were not yet. */
  linked_with: number;
}

/** A dependency as the texts of one issue show it. */
export interface DependencyFindingTable {
  account_id: string;
  /** Whose text states it; the dependent of an implied one. */
  told_by: string;
  source_issue: string;
  dependent_issue: string;
  /** Not stated by a text, but concluded from two. */
  is_implied: boolean;
  reason: string;
  confidence: number;
}

/** A question to a language model about dependencies among some issues. */
export interface DependencyQuestionTable {
  account_id: string;
  /** SHA-256 of the texts, the prompt and the model. */
  asked_as: Buffer;
  /** Until then nobody else asks the same: it is under way, or has just failed. */
  asked_until: Instant;
  has_failed: boolean;
  answered_at: Instant | null;
  /** What it answered; null before that. */
  found: JSONColumnType<FoundByModel[]> | null;
}

/** A dependency as a model answered it. */
export interface FoundByModel {
  source_issue: string;
  dependent_issue: string;
  reason: string;
  confidence: number;
  found_by: string;
}

/** A prompt of an account, in one version; the highest is the one in use. */
export interface CompliancePromptTable {
  account_id: string;
  id: string;
  version: number;
  name: string;
  short_name: string;
  description: string;
  criteria: JSONColumnType<Criterion[]>;
  created_at: InstantByDefault;
}

/** How an issue, with the texts it had, stands by a prompt. */
export interface ComplianceResultTable {
  account_id: string;
  id: string;
  issue_id: string;
  /** Name of a built-in prompt, or id of an account's own. */
  prompt_id: string;
  /** SHA-256 of all that the answer depends on: texts, prompt, who judges. */
  asked_as: Buffer;
  /** SHA-256 of the prompt in its version and of who judges. */
  judged_as: Buffer;
  /** Content hashes that the issue has with these texts: opened, and closed. */
  contents: string[];
  /** Null for results from before versions were kept. */
  prompt_version: number | null;
  /** Until then nobody else judges the same: it is under way, or has just failed. */
  asked_until: Instant;
  has_failed: boolean;
  /** From .01 to 1, 0 when nothing could be judged; null before there was an answer, as is all that follows. */
  factor: number | null;
  findings: JSONColumnType<ComplianceFindings> | null;
  /** Null for the built-in analyst. */
  ai_model_id: string | null;
  ai_model_name: string | null;
  evaluated_at: Instant | null;
}

/** What was found of one criterion; how it is called stands in the prompt. */
export type StoredCriterion = Omit<CriterionResult, 'name' | 'weight'>;

/** What a result holds beside its score. */
export type ComplianceFindings = Pick<ComplianceResult, 'reason' | 'suggestion' | 'estimate'> & {
  criteria: StoredCriterion[];
};

/** Better texts for an issue, as a language model wrote them. */
export interface ComplianceSuggestionTable {
  account_id: string;
  issue_id: string;
  prompt_id: string;
  /** SHA-256 of all that the question depended on. */
  asked_as: Buffer;
  answer: JSONColumnType<object>;
  ai_model_id: string;
  at: Instant;
}

/** The scoring of all issues of a project. */
export interface ComplianceRunTable {
  account_id: string;
  id: string;
  project_id: string;
  prompt_id: string;
  /** Which of its issues. */
  status: StatusFilter;
  /** The language model that judges; null for the built-in analyst. */
  ai_model_id: string | null;
  /** So often it may still be asked. */
  calls_left: number;
  state: Generated<ComplianceRunState>;
  /** Issues there were at the start. */
  total: number;
  done: Generated<number>;
  /** The last issue, in the order of ids, that was looked at. */
  after_id: string | null;
  /** Why it failed, in a sentence. */
  reason: string | null;
  started_at: Instant;
  ended_at: Instant | null;
}

export interface ChangeTable {
  account_id: string;
  id: string;
  kind: ChangeKind;
  status: ChangeStatus;
  title: string;
  rationale: string | null;
  confidence: number | null;
  actor_type: 'user' | 'api_key' | 'flow';
  actor_id: string;
  actor_name: string;
  decided_by: string | null;
  payload: JSONColumnType<Record<string, unknown>>;
  base_hashes: JSONColumnType<Record<string, string>>;
  /** The change this one takes back. */
  undoes: string | null;
  created_at: InstantByDefault;
  decided_at: Instant | null;
  /** Who had what failed tried again last. */
  retried_by: string | null;
  applied_at: Instant | null;
}

export interface ChangeIssueTable {
  account_id: string;
  change_id: string;
  issue_id: string;
  key: string;
  position: number;
}

/** What a step remembers beside what it shows. */
export interface StepMemory {
  /** The comment it posted, or is to delete. */
  comment_external_id?: string;
  /** The issue a close leads to; its key may exist in two trackers. */
  original_id?: string;
  /** The description that an edit replaces, in the tracker's own form. */
  native?: string;
  /** The description that an edit brings back, in the tracker's own form. */
  restore?: string;
  /** Hash of the texts as our edit left them in the tracker; taking the edit back leaves alone what is different by then. */
  left?: string;
  /** Content hash of the issue as the step left it. */
  left_hash?: string;
  /** How the issue stood when the step had changed it, and its time of update then: what the tracker tells of it is ours. */
  stood?: { as: string; at: string };
  /** The step is done only while the issue has this content hash. */
  only_if?: string;
  /** The project that an issue is made in. */
  project_id?: string;
  /** The issue at the other end of a link. */
  linked_id?: string;
  /** The link was there before. */
  was_linked?: boolean;
  /** A comment that stands for a link: it is posted only where the tracker has none. */
  unless_linked?: boolean;
  /** How our close left the issue; a reopen leaves alone what is different by then. */
  closed?: { content_hash: string; at: string | null };
  /** The step was refused before it did anything, so there is nothing to look for in the tracker. */
  refused?: boolean;
  /** The last attempt met a limit before it did anything. */
  kept_out?: boolean;
  /** The outside tool that it calls, and a hash of where its server was then. */
  tool?: { server: string; name: string; address: string };
  /** What that answered, in the words of its server. */
  answer?: string;
}

export interface ChangeStepTable {
  account_id: string;
  id: string;
  change_id: string;
  position: number;
  action: StepAction;
  target_issue_id: string;
  target_key: string;
  before: JSONColumnType<StepFields>;
  after: JSONColumnType<StepFields>;
  /**
   * What the tracker answered: the ids needed to take the step back. `refused` of a failed step: we did not even try, so
   * nothing of it can be in the tracker.
   */
  result: JSONColumnType<StepMemory>;
  status: StepStatus;
  error: string | null;
  applied_at: Instant | null;
}

/** The sample backlog's own tracker: what GitHub's database is to a GitHub tracker. */
export interface SampleIssueTable {
  account_id: string;
  tracker_id: string;
  project_identifier: string;
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  state_reason: string | null;
  duplicate_of: string | null;
  closed_at: Instant | null;
  issue_type: string;
  priority: string | null;
  labels: string[];
  author: string;
  assignees: string[];
  created_at: Instant;
  updated_at: Instant;
}

/** One issue of a sample backlog has to be finished before another. */
export interface SampleLinkTable {
  account_id: string;
  tracker_id: string;
  blocker_project: string;
  blocker_number: number;
  blocked_project: string;
  blocked_number: number;
}

export interface SampleCommentTable {
  account_id: string;
  tracker_id: string;
  id: string;
  project_identifier: string;
  number: number;
  author: string;
  body: string;
  created_at: Instant;
  updated_at: Instant;
}
