import type { PreviewRequest } from '@winnow/contract/preview';
import type { SuggestionRequest } from '@winnow/contract/suggestion';

/** Filters as part of a query key. `undefined` means that the filter is not set. */
export type KeyFilters = Record<string, string | number | boolean | readonly string[] | undefined>;

/**
 * Keys of all cached queries. The first segment is the query family.
 * Live events invalidate whole families (api/live/invalidations.ts). Put every query that an event
 * can change under the family of that event.
 */
export const queryKeys = {
  /** The signed-in user. Not invalidated by live events. */
  account: {
    me: () => ['account', 'me'] as const,
    sessions: () => ['account', 'sessions'] as const,
    secondFactors: () => ['account', 'second-factors'] as const,
    activity: (skip: number) => ['account', 'activity', skip] as const,
    allActivity: ['account', 'activity'] as const,
  },
  /** The selected workspace, its members, invitations and audit log, and the user's workspaces. */
  workspace: {
    all: ['workspace'] as const,
    current: () => ['workspace', 'current'] as const,
    list: () => ['workspace', 'list'] as const,
    joinable: () => ['workspace', 'joinable'] as const,
    members: (filters: KeyFilters) => ['workspace', 'members', filters] as const,
    invitations: () => ['workspace', 'invitations'] as const,
    audit: (filters: KeyFilters) => ['workspace', 'audit', filters] as const,
    invitation: (token: string) => ['workspace', 'invitation', token] as const,
  },
  /** Connected trackers with their health and sync state. */
  trackers: {
    all: ['trackers'] as const,
    list: () => ['trackers', 'list'] as const,
    webhook: (trackerId: string) => ['trackers', 'webhook', trackerId] as const,
  },
  /**
   * Projects that a connection test can read. Not invalidated by live events. `connectionId` stands
   * for the credentials, which must not appear in a cache key.
   */
  connections: {
    projects: (connectionId: string, organization: string) =>
      ['connections', connectionId, organization] as const,
  },
  /** Issues with their organizations and projects. */
  issues: {
    all: ['issues'] as const,
    count: () => ['issues', 'count'] as const,
    projects: (filters: KeyFilters = {}) => ['issues', 'projects', filters] as const,
    organizations: (filters: KeyFilters = {}) => ['issues', 'organizations', filters] as const,
    byKey: (key: string) => ['issues', 'key', key] as const,
    search: (filters: KeyFilters) => ['issues', 'search', filters] as const,
    map: (filters: KeyFilters) => ['issues', 'map', filters] as const,
  },
  /**
   * Similar pairs: lists, pair details, verdicts, statistics per project, progress of the analysis.
   */
  pairs: {
    all: ['pairs'] as const,
    allLists: ['pairs', 'list'] as const,
    list: (filters: KeyFilters = {}) => ['pairs', 'list', filters] as const,
    stats: (filters: KeyFilters = {}) => ['pairs', 'stats', filters] as const,
    allVerdicts: ['pairs', 'verdicts'] as const,
    verdicts: (pairs: readonly string[]) => ['pairs', 'verdicts', pairs] as const,
  },
  /** Clusters of issues: lists, details, and the summary of a review. */
  clusters: {
    all: ['clusters'] as const,
    list: (filters: KeyFilters) => ['clusters', 'list', filters] as const,
    allDetails: ['clusters', 'detail'] as const,
    detail: (clusterId: string) => ['clusters', 'detail', clusterId] as const,
    summary: (filters: KeyFilters) => ['clusters', 'summary', filters] as const,
  },
  /**
   * The cluster that a review shows. Not invalidated by live events, because requesting the next
   * cluster also claims it.
   */
  clusterReview: {
    all: ['cluster-review'] as const,
    turn: (reviewer: string, turn: number) => ['cluster-review', reviewer, turn] as const,
  },
  /** Compliance scores: pages of scores, history of an issue, statistics per project. */
  compliance: {
    all: ['compliance'] as const,
    results: (promptId: string, issueIds: readonly string[]) =>
      ['compliance', 'results', promptId, issueIds] as const,
    history: (promptId: string, issueId: string) => ['compliance', 'history', promptId, issueId] as const,
    runs: (promptId: string) => ['compliance', 'runs', promptId] as const,
    allStats: ['compliance', 'stats'] as const,
    stats: (filters: KeyFilters) => ['compliance', 'stats', filters] as const,
    /** Latest scores per issue. */
    known: (filters: KeyFilters) => ['compliance', 'stats', 'issues', filters] as const,
  },
  /**
   * Compliance prompts. Not invalidated by live events, because a user may be editing one of them.
   */
  compliancePrompts: {
    all: ['compliance-prompts'] as const,
  },
  /**
   * Dependencies: scans, dependencies of an issue, graphs of projects, and dismissed dependencies.
   */
  dependencies: {
    all: ['dependencies'] as const,
    scan: (issueIds: readonly string[]) => ['dependencies', 'scan', issueIds] as const,
    ofIssue: (issueId: string) => ['dependencies', 'issue', issueId] as const,
    graphs: () => ['dependencies', 'graph'] as const,
    graph: (projectId: string) => ['dependencies', 'graph', projectId] as const,
    dismissed: (projectId: string) => ['dependencies', 'dismissed', projectId] as const,
  },
  /** Changes in the ledger. */
  changes: {
    all: ['changes'] as const,
    list: (filters: KeyFilters = {}) => ['changes', 'list', filters] as const,
    detail: (changeId: string) => ['changes', 'detail', changeId] as const,
  },
  /**
   * Previews of changes. Not invalidated by live events, because a preview must not change while
   * the user confirms it.
   */
  previews: {
    all: ['previews'] as const,
    of: (request: PreviewRequest) => ['previews', request] as const,
  },
  /**
   * Suggested texts for a pair (by content hashes of its issues) or for an issue. Not invalidated
   * by live events, because a user may be editing them.
   */
  suggestions: {
    of: (request: SuggestionRequest, hashes: readonly (string | undefined)[]) =>
      ['suggestions', request, hashes] as const,
    /** Improved texts for an issue. */
    improvement: (promptId: string, issueId: string) =>
      ['suggestions', 'improvement', promptId, issueId] as const,
    /** Score of texts while the user types them. */
    trial: (issueId: string, texts: object) => ['suggestions', 'trial', issueId, texts] as const,
  },
  /** Language models of the account, estimates of their use, and the price list. */
  aiModels: {
    all: ['ai-models'] as const,
    list: () => ['ai-models', 'list'] as const,
    estimate: (request: object) => ['ai-models', 'estimate', request] as const,
    prices: () => ['ai-models', 'prices'] as const,
  },
  /** Flows with their latest execution, past events, and executions. */
  flows: {
    all: ['flows'] as const,
    list: () => ['flows', 'list'] as const,
    detail: (flowId: string) => ['flows', 'detail', flowId] as const,
    events: (filters: KeyFilters = {}) => ['flows', 'events', filters] as const,
    executions: (filters: KeyFilters = {}) => ['flows', 'executions', filters] as const,
    execution: (executionId: string) => ['flows', 'execution', executionId] as const,
    log: (executionId: string) => ['flows', 'log', executionId] as const,
  },
  /** Presets for new flows. Not invalidated by live events. */
  flowPresets: {
    list: () => ['flow-presets', 'list'] as const,
  },
  /** MCP servers whose tools flows may use. Not invalidated by live events. */
  mcpServers: {
    all: ['mcp-servers'] as const,
    list: () => ['mcp-servers', 'list'] as const,
  },
  /** API keys of the account. Not invalidated by live events. */
  apiKeys: {
    list: () => ['api-keys', 'list'] as const,
  },
  /** Plans and the account's subscription. */
  plans: {
    all: ['plans'] as const,
    list: () => ['plans', 'list'] as const,
    custom: () => ['plans', 'custom'] as const,
    subscription: () => ['plans', 'subscription'] as const,
  },
  /**
   * Synchronization with Stripe. Not invalidated by live events, because each response would cause
   * another synchronization.
   */
  billingSync: ['billing-sync'] as const,
  /** Usage counted against plan limits. */
  usage: {
    all: ['usage'] as const,
    summary: () => ['usage', 'summary'] as const,
    within: (days: KeyFilters) => ['usage', 'within', days] as const,
  },
} as const;

/** Families that live events do not invalidate. The comments on `queryKeys` state the reasons. */
export const FAMILIES_WITHOUT_EVENTS = [
  'account',
  'connections',
  'clusterReview',
  'compliancePrompts',
  'previews',
  'suggestions',
  'flowPresets',
  'mcpServers',
  'apiKeys',
  'billingSync',
] as const satisfies readonly (keyof typeof queryKeys)[];

/** Query families that live events invalidate. */
export type QueryFamily = Exclude<keyof typeof queryKeys, (typeof FAMILIES_WITHOUT_EVENTS)[number]>;

type Family = (typeof queryKeys)[keyof typeof queryKeys];
type KeyIn<Value> = Value extends (...parameters: never[]) => infer Key ? Key : Value;
type Key = Family extends infer One ? (One extends readonly string[] ? One : KeyIn<One[keyof One]>) : never;
type FirstSegment = Extract<Key, readonly [string, ...unknown[]]>[0];

declare module '@tanstack/react-query' {
  /**
   * Makes TypeScript refuse query keys that belong to no family, because no event would invalidate
   * them.
   */
  interface Register {
    queryKey: readonly [FirstSegment, ...unknown[]];
  }
}
