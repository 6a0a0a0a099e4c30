import type { PreviewRequest } from '@winnow/contract/preview';
import type { SuggestionRequest } from '@winnow/contract/suggestion';

/** The part of a query's address that its filters make up: plain values, `undefined` for "not given". */
export type KeyFilters = Record<string, string | number | boolean | readonly string[] | undefined>;

/**
 * The address of everything the cache holds. The first segment is the family: live events invalidate whole
 * families (api/live/invalidations.ts), so whatever an event can change belongs under the family that names it.
 */
export const queryKeys = {
  /** Who is signed in. No live event touches it. */
  account: {
    me: () => ['account', 'me'] as const,
    sessions: () => ['account', 'sessions'] as const,
    activity: (skip: number) => ['account', 'activity', skip] as const,
    allActivity: ['account', 'activity'] as const,
  },
  /** Connected trackers with their health and the state of their sync. */
  trackers: {
    all: ['trackers'] as const,
    list: () => ['trackers', 'list'] as const,
    webhook: (trackerId: string) => ['trackers', 'webhook', trackerId] as const,
  },
  /** Issues, and the organizations and projects they came with. */
  issues: {
    all: ['issues'] as const,
    count: () => ['issues', 'count'] as const,
    projects: (filters: KeyFilters = {}) => ['issues', 'projects', filters] as const,
    organizations: (filters: KeyFilters = {}) => ['issues', 'organizations', filters] as const,
    byKey: (key: string) => ['issues', 'key', key] as const,
    search: (filters: KeyFilters) => ['issues', 'search', filters] as const,
    map: (filters: KeyFilters) => ['issues', 'map', filters] as const,
  },
  /** Similar pairs: lists, one pair with both texts, what was judged, statistics per project, how far the analysis is. */
  pairs: {
    all: ['pairs'] as const,
    list: (filters: KeyFilters = {}) => ['pairs', 'list', filters] as const,
    stats: (filters: KeyFilters = {}) => ['pairs', 'stats', filters] as const,
    verdicts: (pairs: readonly string[]) => ['pairs', 'verdicts', pairs] as const,
  },
  /** How issues stand by prompts: pages of scores, one issue's history, statistics per project. */
  compliance: {
    all: ['compliance'] as const,
    results: (promptId: string, issueIds: readonly string[]) =>
      ['compliance', 'results', promptId, issueIds] as const,
    history: (promptId: string, issueId: string) => ['compliance', 'history', promptId, issueId] as const,
    runs: (promptId: string) => ['compliance', 'runs', promptId] as const,
    allStats: ['compliance', 'stats'] as const,
    stats: (filters: KeyFilters) => ['compliance', 'stats', filters] as const,
    /** The scores that are known, each issue's by itself. */
    known: (filters: KeyFilters) => ['compliance', 'stats', 'issues', filters] as const,
  },
  /** What issues are judged by. No live event touches them: one of them may be being edited. */
  compliancePrompts: {
    all: ['compliance-prompts'] as const,
  },
  /** What has to be finished before what: scans of issues, one issue's, the graph of a project. */
  dependencies: {
    all: ['dependencies'] as const,
    scan: (issueIds: readonly string[]) => ['dependencies', 'scan', issueIds] as const,
    ofIssue: (issueId: string) => ['dependencies', 'issue', issueId] as const,
    graphs: () => ['dependencies', 'graph'] as const,
    graph: (projectId: string) => ['dependencies', 'graph', projectId] as const,
    dismissed: (projectId: string) => ['dependencies', 'dismissed', projectId] as const,
  },
  /** The ledger of writes. */
  changes: {
    all: ['changes'] as const,
    list: (filters: KeyFilters = {}) => ['changes', 'list', filters] as const,
    detail: (changeId: string) => ['changes', 'detail', changeId] as const,
  },
  /** Writes as they would be made. No live event touches them: what is being confirmed must not change by itself. */
  previews: {
    all: ['previews'] as const,
    of: (request: PreviewRequest) => ['previews', request] as const,
  },
  /** Texts suggested for a pair, by the hashes of what its issues say, and for an issue. No live event touches them: they are being edited. */
  suggestions: {
    of: (request: SuggestionRequest, hashes: readonly (string | undefined)[]) =>
      ['suggestions', request, hashes] as const,
    /** Better texts for an issue. */
    improvement: (promptId: string, issueId: string) =>
      ['suggestions', 'improvement', promptId, issueId] as const,
    /** What texts would score that are being typed. */
    trial: (issueId: string, texts: object) => ['suggestions', 'trial', issueId, texts] as const,
  },
  /** The account's language models, what they would take, and the list of prices. */
  aiModels: {
    all: ['ai-models'] as const,
    list: () => ['ai-models', 'list'] as const,
    estimate: (request: object) => ['ai-models', 'estimate', request] as const,
    prices: () => ['ai-models', 'prices'] as const,
  },
  /** Flows with what became of their last execution, what happened that could start one, and what they did. */
  flows: {
    all: ['flows'] as const,
    list: () => ['flows', 'list'] as const,
    detail: (flowId: string) => ['flows', 'detail', flowId] as const,
    events: (filters: KeyFilters = {}) => ['flows', 'events', filters] as const,
    executions: (filters: KeyFilters = {}) => ['flows', 'executions', filters] as const,
    execution: (executionId: string) => ['flows', 'execution', executionId] as const,
    log: (executionId: string) => ['flows', 'log', executionId] as const,
  },
  /** What a flow can begin with. No live event touches them. */
  flowPresets: {
    list: () => ['flow-presets', 'list'] as const,
  },
  /** MCP servers whose tools flows may use. No live event touches them. */
  mcpServers: {
    all: ['mcp-servers'] as const,
    list: () => ['mcp-servers', 'list'] as const,
  },
  /** The account's API keys. No live event touches them. */
  apiKeys: {
    list: () => ['api-keys', 'list'] as const,
  },
  /** What can be had for money, and what the account pays for. */
  plans: {
    all: ['plans'] as const,
    list: () => ['plans', 'list'] as const,
    custom: () => ['plans', 'custom'] as const,
    subscription: () => ['plans', 'subscription'] as const,
  },
  /** That Stripe was asked. No live event touches it, or each answer would have it asked again. */
  billingSync: ['billing-sync'] as const,
  /** Counters that plans limit by. */
  usage: {
    all: ['usage'] as const,
    summary: () => ['usage', 'summary'] as const,
    within: (days: KeyFilters) => ['usage', 'within', days] as const,
  },
} as const;

/** The families that live events may put out of date. */
export type QueryFamily =
  | 'trackers'
  | 'issues'
  | 'pairs'
  | 'compliance'
  | 'dependencies'
  | 'changes'
  | 'flows'
  | 'plans'
  | 'usage'
  | 'aiModels';
