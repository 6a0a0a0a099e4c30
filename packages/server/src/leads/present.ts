import type { Lead } from '@winnow/contract/lead';
import type { StoredLead } from './store.ts';

/** Converts a stored demo request to the form that the operator reads. */
export function presentLead(lead: StoredLead): Lead {
  return {
    id: lead.id,
    created_at: lead.created_at.toISOString(),
    name: lead.name,
    email: lead.email,
    role: lead.role,
    org: lead.org,
    headcount: lead.headcount,
    trackers: lead.trackers,
    comments: lead.comments,
    source: lead.source,
  };
}
