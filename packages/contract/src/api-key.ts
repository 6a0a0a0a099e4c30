import { z } from 'zod';
import { id, instant, memberOf } from './primitives.ts';
import { STEERING } from './steering.ts';

/** What a key may be used for. None of them implies another. */
export const SCOPES = {
  read: {
    label: 'Read',
    description: 'Search and read issues, pairs, scores, dependencies and changes.',
  },
  propose: {
    label: 'Propose',
    description:
      'Propose changes. Nothing is written until somebody approves them. With Write, agents write at once.',
  },
  write: {
    label: 'Write',
    description: 'Write to your trackers at once, approve, undo and dismiss, and edit prompts.',
  },
} as const satisfies Record<string, { label: string; description: string }>;
export const scope = memberOf(SCOPES);
export type Scope = z.infer<typeof scope>;

/** How every key begins. */
export const API_KEY_PREFIX = 'wnw_';
/** How many keys an account may have. */
export const MOST_API_KEYS = 100;
/** After how many days a key may end; null: never. */
export const EXPIRY_DAYS = [null, 7, 30, 90] as const;

/** A key as it is listed. */
export const apiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the key, to tell it from others. */
  prefix: z.string(),
  scopes: z.array(scope),
  created_at: instant,
  expires_at: instant.nullable(),
  /** May be five minutes late where Winnow runs as several processes. */
  last_used_at: instant.nullable(),
  /** Requests made with it, as far back as API usage is kept. */
  requests: z.int(),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeyList = z.array(apiKey);

export const apiKeyCreate = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'A name has at most 100 characters.')
    .refine((name) => name.search(STEERING) === -1, {
      message: 'A name is one line without hidden characters. Type it instead of pasting it.',
      abort: true,
    })
    .regex(/^$|[\p{L}\p{N}\p{P}\p{S}]/u, 'Enter a name that can be seen.'),
  /** An instant, or a day, which means its first moment in UTC. */
  expires_at: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'Enter a date such as 2030-01-31, or null for never.',
    })
    .transform((text) => new Date(text).toISOString())
    .pipe(instant)
    .nullable()
    .default(null),
  scopes: z
    .array(scope)
    .min(1, 'Choose at least one scope.')
    .transform((chosen) => scope.options.filter((option) => chosen.includes(option)))
    .default([...scope.options]),
});
export type ApiKeyCreate = z.infer<typeof apiKeyCreate>;

/** A new key. This is the one time that `key` is answered. */
export const createdApiKey = apiKey.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKey>;

/** Who may call a route: a key with this scope, and every signed-in person; people only; or keys only, whatever their scopes. */
export type Access = Scope | 'user' | 'key';

/** Every route that needs a token, and who may call it. */
export const ROUTE_ACCESS: Readonly<Record<string, Access>> = {
  'GET /api/v1/search': 'read',
  'GET /api/v1/embeddings': 'read',
  'GET /api/v1/issues/:issue': 'read',
  'GET /api/v1/issues/:issue/similar': 'read',
  'GET /api/v1/issues-count': 'read',
  'GET /api/v1/organizations': 'read',
  'GET /api/v1/projects': 'read',

  'GET /api/v1/issue-duplicates': 'read',
  'GET /api/v1/issue-duplicates/:pair_id': 'read',
  'GET /api/v1/issue-duplicates/check': 'read',
  'POST /api/v1/issue-duplicates/check-batch': 'read',
  'GET /api/v1/project-duplicate-stats': 'read',
  'POST /api/v1/ai-suggestion': 'read',
  'PATCH /api/v1/issue-duplicates/propose-resolution': 'propose',
  'PATCH /api/v1/issue-duplicates/execute-resolution': 'write',
  'POST /api/v1/issue-duplicates/dismiss': 'write',
  'POST /api/v1/issue-duplicates/restore': 'write',

  'GET /api/v1/issue_compliance/:issue_id': 'read',
  'GET /api/v1/issue_compliance/:issue_id/history': 'read',
  'POST /api/v1/issue_compliance/batch': 'read',
  'GET /api/v1/issue_compliance_stats': 'read',
  'GET /api/v1/issue_compliance_scores': 'read',
  'GET /api/v1/issue_compliance_runs': 'read',
  'POST /api/v1/issue_compliance_runs': 'write',
  'POST /api/v1/issue_compliance_runs/preview': 'read',
  'POST /api/v1/issue_compliance_runs/:run_id/stop': 'write',
  'GET /api/v1/issue_compliance_suggestion/:issue_id': 'read',
  'POST /api/v1/issue_compliance_trial/:issue_id': 'read',
  'PATCH /api/v1/issue_compliance_update/:issue_id': 'write',
  'GET /api/v1/issue_compliance_prompts': 'read',
  'POST /api/v1/issue_compliance_prompts/try': 'read',
  'POST /api/v1/issue_compliance_prompts': 'write',
  'GET /api/v1/issue_compliance_prompts/:prompt_id/versions': 'read',
  'PUT /api/v1/issue_compliance_prompts/:prompt_id': 'write',
  'DELETE /api/v1/issue_compliance_prompts/:prompt_id': 'write',

  'GET /api/v1/issue-dependencies': 'read',
  'GET /api/v1/issue-dependencies/dismissed': 'read',
  'POST /api/v1/issue-dependencies/detect': 'read',
  'POST /api/v1/issue-dependencies/extend': 'read',
  'POST /api/v1/issue-dependencies/commit': 'write',
  'POST /api/v1/issue-dependencies/dismiss': 'write',
  'POST /api/v1/issue-dependencies/restore': 'write',

  'GET /api/v1/changes': 'read',
  'GET /api/v1/changes/export': 'read',
  'GET /api/v1/changes/:change_id': 'read',
  'POST /api/v1/changes/preview': 'read',
  'POST /api/v1/changes/:change_id/apply': 'write',
  'POST /api/v1/changes/:change_id/reject': 'write',
  'POST /api/v1/changes/:change_id/undo': 'write',
  'POST /api/v1/changes/:change_id/retry': 'write',

  'GET /api/v1/flows/executions': 'read',
  'GET /api/v1/flows/executions/:execution_id': 'read',
  'GET /api/v1/flows/executions/:execution_id/logs': 'read',
  'POST /api/v1/flows/executions/:execution_id/stop': 'write',

  // Each of its tools looks at the scopes for itself.
  'GET /mcp': 'key',
  'POST /mcp': 'key',
  'DELETE /mcp': 'key',

  'DELETE /api/v1/auth/account': 'user',
  'GET /api/v1/auth/account/export': 'user',
  'GET /api/v1/auth/users/me': 'user',
  'PUT /api/v1/auth/users/me': 'user',
  'PUT /api/v1/auth/users/me/password': 'user',
  'POST /api/v1/auth/resend-verification': 'user',
  'GET /api/v1/auth/api-keys': 'user',
  'POST /api/v1/auth/api-keys': 'user',
  'DELETE /api/v1/auth/api-keys/:key_id': 'user',
  'GET /api/v1/auth/api-usage': 'user',
  'GET /api/v1/auth/api-usage/export': 'user',
  'GET /api/v1/billing/custom-plans': 'user',
  'POST /api/v1/billing/sync-subscription': 'user',
  'POST /api/v1/billing/create-portal-session': 'user',
  'GET /api/v1/billing/subscription': 'user',
  'GET /api/v1/trackers': 'user',
  'POST /api/v1/trackers': 'user',
  'GET /api/v1/trackers/:tracker_id': 'user',
  'PUT /api/v1/trackers/:tracker_id': 'user',
  'DELETE /api/v1/trackers/:tracker_id': 'user',
  'POST /api/v1/trackers/:tracker_id/sync': 'user',
  'GET /api/v1/trackers/:tracker_id/webhook': 'user',
  'POST /api/v1/trackers/:tracker_id/webhook/rotate': 'user',
  'POST /api/v1/trackers/test-and-list-orgs': 'user',
  'POST /api/v1/trackers/list-projects-for-org': 'user',
  'GET /api/v1/ai-models': 'user',
  'POST /api/v1/ai-models': 'user',
  'POST /api/v1/ai-models/test': 'user',
  'PUT /api/v1/ai-models/:model_id': 'user',
  'DELETE /api/v1/ai-models/:model_id': 'user',
  'GET /api/v1/flows': 'user',
  'POST /api/v1/flows': 'user',
  'GET /api/v1/flows/:flow_id': 'user',
  'PUT /api/v1/flows/:flow_id': 'user',
  'DELETE /api/v1/flows/:flow_id': 'user',
  'POST /api/v1/flows/:flow_id/run': 'user',
  'POST /api/v1/flows/executions/:execution_id/retry': 'user',
  'POST /api/v1/flows/preview': 'user',
  'GET /api/v1/flows/events': 'user',
  'GET /api/v1/flows/presets': 'user',
  'POST /api/v1/flows/presets/:preset_id/clone': 'user',
  'DELETE /api/v1/flows/presets/:preset_id': 'user',
  'GET /api/v1/mcp-servers': 'user',
  'POST /api/v1/mcp-servers': 'user',
  'POST /api/v1/mcp-servers/test': 'user',
  'PUT /api/v1/mcp-servers/:server_id': 'user',
  'POST /api/v1/mcp-servers/:server_id/check': 'user',
  'DELETE /api/v1/mcp-servers/:server_id': 'user',
};
