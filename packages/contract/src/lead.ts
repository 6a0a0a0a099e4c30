import { z } from 'zod';
import { email } from './account.ts';
import { id, instant, memberOf } from './primitives.ts';

/** Sizes of organizations. The keys are stored, the labels are displayed. */
export const HEADCOUNTS = {
  '1-50': '1-50',
  '51-200': '51-200',
  '201-1000': '201-1,000',
  '1001-5000': '1,001-5,000',
  '5000+': '5000+',
} as const;
export const headcount = memberOf(HEADCOUNTS);
export type Headcount = z.infer<typeof headcount>;

/** Trackers that a demo request can name, including unsupported ones. */
export const LEAD_TRACKERS = {
  github: 'GitHub',
  gitlab: 'GitLab',
  jira: 'Jira',
  linear: 'Linear',
} as const;
export const leadTracker = memberOf(LEAD_TRACKERS);
export type LeadTracker = z.infer<typeof leadTracker>;

/** Value of `source` for requests from the page "Request Demo". */
export const DEMO_REQUEST_SOURCE = 'request-demo';

export const MAX_COMMENTS_CHARS = 5000;

function line(missing: string, tooLong: string) {
  return z.string({ error: missing }).trim().min(1, missing).max(200, tooLong);
}

/** A request for a demo. */
export const leadRequest = z.object({
  name: line('Enter your name.', 'A name has at most 200 characters.'),
  email,
  role: line('Enter your role.', 'A role has at most 200 characters.'),
  org: line('Enter your organization.', 'An organization has at most 200 characters.'),
  headcount: z.enum(headcount.options, { error: 'Choose a headcount.' }),
  trackers: z.array(leadTracker).max(leadTracker.options.length).default([]),
  comments: z.string().trim().max(MAX_COMMENTS_CHARS, 'Comments have at most 5,000 characters.').optional(),
  /** The page that sent the request. */
  source: z.string().trim().min(1).max(100),
});
export type LeadRequest = z.infer<typeof leadRequest>;

/** The stored request. */
export const lead = leadRequest.extend({ id, comments: z.string().nullable(), created_at: instant });
export type Lead = z.infer<typeof lead>;

export const leadReceived = z.object({ id });
