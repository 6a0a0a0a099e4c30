import type { TriggerEvent } from '@winnow/contract/flow';
import type { IssueView } from '../../issues/index.ts';
import type { EventFacts } from '../facts.ts';

const EVENT_TIME = new Date('2026-03-02T09:30:00.000Z');
const PROJECT = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'Web',
  identifier: 'acme/web',
  tracker_id: '22222222-2222-4222-8222-222222222222',
};

const ISSUE: IssueView = {
  account_id: '22222222-2222-4222-8222-222222222222',
  id: '33333333-3333-4333-8333-333333333333',
  tracker_id: '44444444-4444-4444-8444-444444444444',
  project_id: PROJECT.id,
  external_id: '12',
  key: 'acme/web#12',
  title: 'Export hangs',
  description: 'It never ends.',
  status: 'open',
  state: 'opened',
  issue_type: 'bug',
  priority: null,
  labels: [],
  assignees: [],
  author: 'ada',
  url: 'https://example.com/acme/web/issues/12',
  parent_key: null,
  is_duplicate: false,
  duplicate_of: null,
  comments_count: 0,
  reactions: 0,
  milestone: null,
  is_locked: false,
  is_completed: false,
  created_at: EVENT_TIME,
  updated_at: EVENT_TIME,
  closed_at: null,
  content_hash: 'a'.repeat(64),
  analyzed_hash: null,
  synced_at: EVENT_TIME,
  revision: 1,
  project_name: PROJECT.name,
  project_identifier: PROJECT.identifier,
  tracker_name: 'GitHub',
  tracker_type: 'github',
  project_external_id: '7',
  organization_id: '55555555-5555-4555-8555-555555555555',
  organization_name: 'acme',
};

/** Returns the facts of an event on an issue, with the given changes. */
export function factsWith({
  issue = {},
  event = {},
}: {
  issue?: Partial<IssueView> | null;
  event?: Partial<TriggerEvent>;
} = {}): EventFacts {
  const about = issue === null ? null : { ...ISSUE, ...issue };
  return {
    issue: about,
    project: PROJECT,
    account: { name: 'Ada Lovelace' },
    event: {
      type: 'issue_opened',
      actor: 'ada',
      occurred_at: EVENT_TIME.toISOString(),
      project_id: PROJECT.id,
      project: PROJECT.identifier,
      issue_id: about?.id ?? null,
      issue_key: about?.key ?? null,
      issue_title: about?.title ?? null,
      url: about?.url ?? null,
      details: {},
      coalesced: 0,
      ...event,
    },
  };
}
