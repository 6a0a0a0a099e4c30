import { HEADCOUNTS, LEAD_TRACKERS, type LeadRequest } from '@winnow/contract/lead';
import { writeLetter } from '../platform/mail/letter.ts';

/** Returns the email to the operator about a demo request. */
export function leadLetter(lead: LeadRequest): ReturnType<typeof writeLetter> {
  const trackers = lead.trackers.map((tracker) => LEAD_TRACKERS[tracker]);
  const facts = [
    `Name: ${lead.name}`,
    `E-mail: ${lead.email}`,
    `Role: ${lead.role}`,
    `Organization: ${lead.org}`,
    `Headcount: ${HEADCOUNTS[lead.headcount]}`,
    `Trackers: ${trackers.length === 0 ? 'none named' : trackers.join(', ')}`,
    `Sent from: ${lead.source}`,
  ];
  return writeLetter({
    subject: `Demo request: ${lead.name}, ${lead.org}`,
    opening: ['Someone asks for a demo.', facts.join('\n'), ...(lead.comments ? [lead.comments] : [])],
    closing: ['All requests: winnow leads'],
  });
}
