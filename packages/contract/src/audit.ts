import { z } from 'zod';
import { id, instant, memberOf, pageQuery } from './primitives.ts';

/** Days after which audit events are deleted. */
export const AUDIT_DAYS = 400;

/** Events of a workspace's audit log, with the label that is displayed. */
export const AUDIT_EVENTS = {
  signed_in: { label: 'Signed in', group: 'sign-in' },
  sign_in_failed: { label: 'Sign-in failed', group: 'sign-in' },
  second_factor_added: { label: 'Second factor added', group: 'sign-in' },
  second_factor_removed: { label: 'Second factor removed', group: 'sign-in' },
  password_changed: { label: 'Password changed', group: 'sign-in' },
  workspace_created: { label: 'Workspace created', group: 'workspace' },
  workspace_changed: { label: 'Workspace settings changed', group: 'workspace' },
  workspace_deleted: { label: 'Deletion of the workspace requested', group: 'workspace' },
  data_exported: { label: 'Export of data requested', group: 'workspace' },
  member_invited: { label: 'Invitation created', group: 'members' },
  invitation_withdrawn: { label: 'Invitation withdrawn', group: 'members' },
  member_joined: { label: 'Member joined', group: 'members' },
  member_removed: { label: 'Member removed', group: 'members' },
  member_left: { label: 'Member left', group: 'members' },
  role_changed: { label: 'Role changed', group: 'members' },
  ownership_transferred: { label: 'Ownership transferred', group: 'members' },
  api_key_created: { label: 'API key created', group: 'keys' },
  api_key_revoked: { label: 'API key revoked', group: 'keys' },
  tracker_changed: { label: 'Tracker connection changed', group: 'trackers' },
  model_changed: { label: 'AI model changed', group: 'automation' },
  flow_changed: { label: 'Flow changed', group: 'automation' },
  mcp_server_changed: { label: 'MCP server changed', group: 'automation' },
  change_decided: { label: 'Proposal decided', group: 'decisions' },
  plan_changed: { label: 'Plan or payment changed', group: 'workspace' },
} as const satisfies Record<string, { label: string; group: string }>;
export const auditEventKind = memberOf(AUDIT_EVENTS);
export type AuditEventKind = z.infer<typeof auditEventKind>;
export const auditActorType = z.enum(['user', 'api_key', 'flow', 'operator', 'system']);
export type AuditActorType = z.infer<typeof auditActorType>;

export const auditEvent = z.object({
  id,
  at: instant,
  kind: auditEventKind,
  actor: z.object({ type: auditActorType, id: id.nullable(), name: z.string() }),
  /** The IP address that the request came from. */
  address: z.string().nullable(),
  /** Name of what the event concerns, such as a member, a key or a tracker. */
  subject: z.string().nullable(),
  /** Further facts, such as the old and the new role. Never a secret. */
  details: z.record(z.string(), z.string()),
});
export type AuditEvent = z.infer<typeof auditEvent>;
export const auditPage = z.object({ events: z.array(auditEvent), total: z.int() });
export const auditFilter = z.object({
  kind: auditEventKind.optional(),
  actor_id: id.optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});
export const auditQuery = auditFilter.extend(pageQuery(50));

/**
 * Routes whose successful requests are recorded, with the kind of the event. Routes about members,
 * the export of all data and the ledger record their events themselves.
 */
export const AUDITED_ROUTES: Readonly<Record<string, AuditEventKind>> = {
  'GET /api/v1/audit-events/export': 'data_exported',
  'POST /api/v1/auth/api-keys': 'api_key_created',
  'DELETE /api/v1/auth/api-keys/:key_id': 'api_key_revoked',
  'POST /api/v1/trackers': 'tracker_changed',
  'PUT /api/v1/trackers/:tracker_id': 'tracker_changed',
  'DELETE /api/v1/trackers/:tracker_id': 'tracker_changed',
  'POST /api/v1/trackers/:tracker_id/webhook/rotate': 'tracker_changed',
  'POST /api/v1/ai-models': 'model_changed',
  'POST /api/v1/ai-models/:model_id/resume': 'model_changed',
  'PUT /api/v1/ai-models/:model_id': 'model_changed',
  'DELETE /api/v1/ai-models/:model_id': 'model_changed',
  'POST /api/v1/flows': 'flow_changed',
  'PUT /api/v1/flows/:flow_id': 'flow_changed',
  'DELETE /api/v1/flows/:flow_id': 'flow_changed',
  'POST /api/v1/flows/presets/:preset_id/clone': 'flow_changed',
  'DELETE /api/v1/flows/presets/:preset_id': 'flow_changed',
  'POST /api/v1/mcp-servers': 'mcp_server_changed',
  'PUT /api/v1/mcp-servers/:server_id': 'mcp_server_changed',
  'DELETE /api/v1/mcp-servers/:server_id': 'mcp_server_changed',
  'POST /api/v1/billing/create-checkout-session': 'plan_changed',
  'POST /api/v1/billing/create-portal-session': 'plan_changed',
  'POST /api/v1/billing/cancel-waiting-change': 'plan_changed',
};
