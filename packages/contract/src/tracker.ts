import { z } from 'zod';
import { id, instant, memberOf, outsideApiKey } from './primitives.ts';

/** Tracker types, with label and default URL. */
export const TRACKER_TYPES = {
  github: { label: 'GitHub', defaultUrl: 'https://github.com' },
  gitlab: { label: 'GitLab', defaultUrl: 'https://gitlab.com' },
  jira: { label: 'Jira', defaultUrl: '' },
  sample: { label: 'Sample backlog', defaultUrl: '' },
} as const satisfies Record<string, { label: string; defaultUrl: string }>;

export const trackerType = memberOf(TRACKER_TYPES);
export type TrackerType = z.infer<typeof trackerType>;

/**
 * Types of trackers that users can connect with an address and a key. The sample tracker needs
 * neither.
 */
export const connectableTrackerType = z.enum(['github', 'gitlab', 'jira']);
export type ConnectableTrackerType = z.infer<typeof connectableTrackerType>;

/** Value of the API key field that leaves the stored key unchanged when a tracker is edited. */
export const UNCHANGED_API_KEY = 'unchanged';

export const scopeRuleInput = z.object({
  rule_type: z.enum(['INCLUDE', 'EXCLUDE']),
  scope_type: z.enum(['ORGANIZATION', 'PROJECT']),
  identifier: z.string().trim().min(1).max(500),
});
export type ScopeRuleInput = z.infer<typeof scopeRuleInput>;
export const scopeRule = scopeRuleInput.extend({ id });

export const healthStatus = z.enum(['ok', 'warning', 'error', 'unknown']);
export const syncState = z.enum(['idle', 'queued', 'running', 'failed']);
export type SyncState = z.infer<typeof syncState>;

/**
 * State of a tracker's webhooks.
 * `active`: webhooks report all projects in scope. `polling`: webhooks are not needed or not
 * possible. `failed`: webhooks do not work.
 */
export const webhookState = z.enum(['active', 'polling', 'failed']);
export type WebhookState = z.infer<typeof webhookState>;

export const syncProgress = z.object({ done: z.int(), total: z.int() });

export const tracker = z.object({
  id,
  name: z.string(),
  tracker_type: trackerType,
  url: z.string(),
  is_active: z.boolean(),
  connection_details: z.object({ username: z.string().optional() }),
  scope_rules: z.array(scopeRule),
  tracker_login: z.string().nullable(),
  health: z.object({
    status: healthStatus,
    message: z.string().nullable(),
    /**
     * Known cause of the status `error`. `token_refused` means that the tracker refused the stored
     * token.
     */
    cause: z.enum(['token_refused']).nullable(),
    checked_at: instant.nullable(),
    missing_permissions: z.array(z.string()),
  }),
  sync: z.object({
    state: syncState,
    progress: syncProgress.nullable(),
    last_finished_at: instant.nullable(),
    last_error: z.string().nullable(),
    issues: z.int(),
  }),
  webhooks: z.object({ state: webhookState, last_event_at: instant.nullable() }),
  created: instant,
  last_updated: instant,
});
export type Tracker = z.infer<typeof tracker>;

export const trackerName = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(100, 'A name has at most 100 characters.');
/** Maximum trackers per account. Each tracker causes regular polling and webhooks. */
export const MAX_TRACKERS = 50;
const address = z.string().trim().max(500);
const connectionDetails = z.object({ username: z.string().trim().max(254).optional() });

export const trackerCreate = z.discriminatedUnion('type', [
  z.object({ name: trackerName, type: z.literal('sample') }),
  z.object({
    name: trackerName,
    type: connectableTrackerType,
    url: address.optional(),
    api_key: outsideApiKey.min(1, 'Enter an API key.'),
    scope_rules: z.array(scopeRuleInput).max(2000).default([]),
    config: connectionDetails.default({}),
  }),
]);
export type TrackerCreate = z.infer<typeof trackerCreate>;

export const trackerUpdate = z.object({
  name: trackerName,
  url: address.optional(),
  api_key: outsideApiKey.optional(),
  scope_rules: z.array(scopeRuleInput).max(2000).optional(),
  config: connectionDetails.optional(),
});
export type TrackerUpdate = z.infer<typeof trackerUpdate>;

const connectionFields = {
  tracker_id: id.optional(),
  tracker_type: connectableTrackerType,
  api_key: outsideApiKey.default(''),
  url: address.optional(),
  connection_details: connectionDetails.optional(),
};
export const connectionTest = z.object(connectionFields);
export type ConnectionTest = z.infer<typeof connectionTest>;

export const projectChoice = z.object({
  id: z.string(),
  name: z.string(),
  identifier: z.string(),
  type: z.literal('project'),
});
export type ProjectChoice = z.infer<typeof projectChoice>;

/**
 * An organization with its projects, which users can select for the scope. `id` is its identifier.
 */
export const organizationChoice = z.object({
  id: z.string(),
  name: z.string(),
  type: z.literal('organization'),
  children: z.array(projectChoice),
});
export type OrganizationChoice = z.infer<typeof organizationChoice>;

export const connectionTestResult = z.object({
  success: z.boolean(),
  message: z.string(),
  orgs: z.array(organizationChoice),
});
export type ConnectionTestResult = z.infer<typeof connectionTestResult>;

export const projectsOfOrganization = z.object({
  ...connectionFields,
  organization_identifier: z.string().trim().min(1).max(500),
});
export type ProjectsOfOrganization = z.infer<typeof projectsOfOrganization>;

/** Data needed to create a webhook manually in the tracker. */
export const trackerWebhook = z.object({
  url: z.string(),
  secret: z.string(),
  /** Time until which the previous secret is accepted. Null if it is not accepted. */
  former_accepted_until: instant.nullable(),
  /** Names of the events to select in the tracker, as the tracker displays them. */
  events: z.array(z.string()),
  state: webhookState,
  /** Reason why no webhook works. Null if no problem is known. */
  problem: z.string().nullable(),
});
export type TrackerWebhook = z.infer<typeof trackerWebhook>;
