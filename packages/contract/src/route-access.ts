import type { Scope } from './api-key.ts';
import { type Permission, scopeFor } from './role.ts';

/**
 * Callers that a route admits. A permission admits members whose role has it, and API keys whose
 * scopes give it. `people:` before it admits only members. `self` admits every signed-in user,
 * because the route concerns the user and not a workspace. `key` admits every API key.
 */
export type Access = Permission | `people:${Permission}` | 'self' | 'key';

/** Returns the permission that an access requires in the workspace; null if it requires none. */
export function permissionOf(access: Access): Permission | null {
  return access === 'self' || access === 'key' ? null : (access.replace(/^people:/, '') as Permission);
}

/** Returns the scope with which a key gets an access; null if only people get it. */
export function scopeOf(access: Access): Scope | null {
  const permission = permissionOf(access);
  return permission === null || access.startsWith('people:') ? null : scopeFor(permission);
}

/**
 * Policy of access: all routes that require authentication. The server refuses by this table, and
 * the API description and the documentation of roles are generated from it.
 */
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
  'POST /api/v1/issue-duplicates/dismiss': 'triage',
  'PUT /api/v1/issue-duplicates/mark': 'write',
  'PUT /api/v1/issue-duplicates/:pair_id/judgment': 'triage',
  'DELETE /api/v1/issue-duplicates/:pair_id/judgment': 'triage',
  'POST /api/v1/issue-duplicates/series/:series_id/dismiss': 'triage',
  'POST /api/v1/issue-duplicates/series/:series_id/restore': 'triage',
  'POST /api/v1/issue-duplicates/restore': 'triage',

  'GET /api/v1/clusters': 'read',
  'GET /api/v1/clusters/:cluster_id': 'read',
  'PATCH /api/v1/clusters/:cluster_id': 'write',
  'POST /api/v1/clusters/:cluster_id/include': 'write',
  'POST /api/v1/clusters/:cluster_id/exclude': 'write',
  'POST /api/v1/clusters/:cluster_id/split': 'write',
  'POST /api/v1/clusters/:cluster_id/merge': 'write',
  'POST /api/v1/clusters/:cluster_id/resolve': 'write',
  'POST /api/v1/clusters/:cluster_id/propose-resolution': 'propose',
  'POST /api/v1/clusters/undo': 'write',
  'POST /api/v1/clusters/resolve': 'write',
  'POST /api/v1/clusters/review/next': 'write',
  'POST /api/v1/clusters/review/release': 'write',
  'GET /api/v1/clusters/review/summary': 'read',
  'GET /api/v1/clusters/review/summary/export': 'read',

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
  'POST /api/v1/issue-dependencies/dismiss': 'triage',
  'POST /api/v1/issue-dependencies/restore': 'triage',

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

  // Any key may call this route, because each MCP tool checks scopes itself.
  'POST /mcp': 'key',

  'DELETE /api/v1/auth/account': 'self',
  'GET /api/v1/auth/account/export': 'own',
  'GET /api/v1/auth/users/me': 'self',
  'PUT /api/v1/auth/users/me': 'self',
  'PUT /api/v1/auth/users/me/password': 'self',
  'POST /api/v1/auth/resend-verification': 'self',
  'GET /api/v1/auth/sessions': 'self',
  'DELETE /api/v1/auth/sessions': 'self',
  'DELETE /api/v1/auth/sessions/:session_id': 'self',
  'GET /api/v1/auth/second-factors': 'self',
  'POST /api/v1/auth/second-factors/authenticator': 'self',
  'POST /api/v1/auth/second-factors/authenticator/confirm': 'self',
  'POST /api/v1/auth/second-factors/authenticator/remove': 'self',
  'POST /api/v1/auth/second-factors/recovery-codes': 'self',
  'GET /api/v1/auth/activity': 'self',
  'GET /api/v1/auth/api-keys': 'manage',
  'POST /api/v1/auth/api-keys': 'manage',
  'DELETE /api/v1/auth/api-keys/:key_id': 'manage',
  'GET /api/v1/auth/api-usage': 'people:read',
  'GET /api/v1/auth/api-usage/export': 'people:read',
  'GET /api/v1/billing/custom-plans': 'people:read',
  'POST /api/v1/billing/sync-subscription': 'own',
  'POST /api/v1/billing/cancel-waiting-change': 'own',
  'POST /api/v1/billing/create-portal-session': 'own',
  'GET /api/v1/billing/subscription': 'people:read',
  'GET /api/v1/trackers': 'people:read',
  'POST /api/v1/trackers': 'manage',
  'GET /api/v1/trackers/:tracker_id': 'people:read',
  'PUT /api/v1/trackers/:tracker_id': 'manage',
  'DELETE /api/v1/trackers/:tracker_id': 'manage',
  'POST /api/v1/trackers/:tracker_id/sync': 'people:write',
  'GET /api/v1/trackers/:tracker_id/webhook': 'manage',
  'POST /api/v1/trackers/:tracker_id/webhook/rotate': 'manage',
  'POST /api/v1/trackers/test-and-list-orgs': 'manage',
  'POST /api/v1/trackers/list-projects-for-org': 'manage',
  'GET /api/v1/ai-models': 'people:read',
  'POST /api/v1/ai-models': 'manage',
  'POST /api/v1/ai-models/estimate': 'manage',
  'POST /api/v1/ai-models/provider-models': 'manage',
  'GET /api/v1/ai-models/prices': 'people:read',
  'POST /api/v1/ai-models/:model_id/resume': 'manage',
  'POST /api/v1/ai-models/test': 'manage',
  'PUT /api/v1/ai-models/:model_id': 'manage',
  'DELETE /api/v1/ai-models/:model_id': 'manage',
  'GET /api/v1/flows': 'people:read',
  'POST /api/v1/flows': 'manage',
  'GET /api/v1/flows/:flow_id': 'people:read',
  'PUT /api/v1/flows/:flow_id': 'manage',
  'DELETE /api/v1/flows/:flow_id': 'manage',
  'POST /api/v1/flows/:flow_id/run': 'people:write',
  'POST /api/v1/flows/executions/:execution_id/retry': 'people:write',
  'POST /api/v1/flows/preview': 'manage',
  'GET /api/v1/flows/events': 'people:read',
  'GET /api/v1/flows/presets': 'people:read',
  'POST /api/v1/flows/presets/:preset_id/clone': 'manage',
  'DELETE /api/v1/flows/presets/:preset_id': 'manage',
  'GET /api/v1/mcp-servers': 'people:read',
  'POST /api/v1/mcp-servers': 'manage',
  'POST /api/v1/mcp-servers/test': 'manage',
  'PUT /api/v1/mcp-servers/:server_id': 'manage',
  'POST /api/v1/mcp-servers/:server_id/check': 'manage',
  'DELETE /api/v1/mcp-servers/:server_id': 'manage',
};
