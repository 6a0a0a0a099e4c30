import type { Kysely } from 'kysely';
import type {
  AccountEventTable,
  AccountTable,
  ApiKeyTable,
  AttemptTable,
  AuditEventTable,
  AuthenticatorTable,
  DeviceTable,
  InvitationTable,
  LeadTable,
  MemberTable,
  OneTimeTokenTable,
  PasskeyTable,
  RecoveryCodeTable,
  RefreshTokenTable,
  RemovedMemberTable,
  SessionTable,
  UserTable,
} from './account-tables.ts';
import type {
  AiCallTable,
  AiModelFailedTestTable,
  AiModelHealthTable,
  AiModelTable,
  AiModelUseTable,
} from './ai-tables.ts';
import type {
  ApiUsageTable,
  CustomPlanTable,
  PlanUsageTable,
  StripeEventTable,
  SubscriptionTable,
  UsageCounterTable,
} from './billing-tables.ts';
import type { ChangeIssueTable, ChangeStepTable, ChangeTable, WriteTurnTable } from './change-tables.ts';
import type {
  ClusterActionTable,
  ClusterEventTable,
  ClusterMemberTable,
  ClusterOverrideTable,
  ClusterStaleTable,
  ClusterTable,
  StatedDuplicateTable,
} from './cluster-tables.ts';
import type {
  CompliancePromptTable,
  ComplianceResultTable,
  ComplianceRunTable,
  ComplianceSuggestionTable,
} from './compliance-tables.ts';
import type {
  DependencyFindingTable,
  DependencyQuestionTable,
  DependencyReadingTable,
  DependencyStaleTable,
  DependencyTable,
  IssueLinksReadTable,
} from './dependency-tables.ts';
import type {
  IssueSeriesTable,
  PairCalibrationTable,
  PairJudgmentTable,
  PairTable,
  SuggestionTable,
  VerdictTable,
} from './duplicate-tables.ts';
import type {
  FlowEventTable,
  FlowExecutionTable,
  FlowLogTable,
  FlowPresetTable,
  FlowTable,
  McpServerTable,
} from './flow-tables.ts';
import type {
  AnalysisStateTable,
  CommentTable,
  IssueTable,
  IssueVectorTable,
  PresentItemTable,
  SearchDocumentTable,
  SearchStaleTable,
} from './issue-tables.ts';
import type { SampleCommentTable, SampleIssueTable, SampleLinkTable } from './sample-tables.ts';
import type {
  OrganizationTable,
  ProjectTable,
  ProjectWebhookTable,
  ScopeRuleTable,
  TrackerEventTable,
  TrackerTable,
  WebhookDeliveryTable,
} from './tracker-tables.ts';

/**
 * All tables and their columns. Keep them in line with the migrations in this folder. In each table
 * with account data, the primary key begins with `account_id`.
 */
export interface Tables {
  account: AccountTable;
  app_user: UserTable;
  member: MemberTable;
  removed_member: RemovedMemberTable;
  invitation: InvitationTable;
  audit_event: AuditEventTable;
  session: SessionTable;
  device: DeviceTable;
  authenticator: AuthenticatorTable;
  passkey: PasskeyTable;
  recovery_code: RecoveryCodeTable;
  account_event: AccountEventTable;
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
  ai_model_health: AiModelHealthTable;
  ai_model_use: AiModelUseTable;
  ai_model_failed_test: AiModelFailedTestTable;
  ai_call: AiCallTable;
  issue_series: IssueSeriesTable;
  pair_judgment: PairJudgmentTable;
  pair_calibration: PairCalibrationTable;
  pair: PairTable;
  verdict: VerdictTable;
  suggestion: SuggestionTable;
  cluster: ClusterTable;
  cluster_member: ClusterMemberTable;
  cluster_override: ClusterOverrideTable;
  cluster_event: ClusterEventTable;
  cluster_action: ClusterActionTable;
  cluster_stale: ClusterStaleTable;
  stated_duplicate: StatedDuplicateTable;
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
  write_turn: WriteTurnTable;
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

/** A typed database connection, or a transaction on one. */
export type Db = Kysely<Tables>;
