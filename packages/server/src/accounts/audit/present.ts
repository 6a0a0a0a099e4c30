import type { AuditEvent } from '@winnow/contract/audit';
import type { AuditEventRow } from './store.ts';

export function presentAuditEvent(event: AuditEventRow): AuditEvent {
  const { id, at, kind, actor_type, actor_id, actor_name, address, subject, details } = event;
  const actor = { type: actor_type, id: actor_id, name: actor_name };
  return { id, at: at.toISOString(), kind, actor, address, subject, details };
}
