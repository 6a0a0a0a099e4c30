import type { Pair } from '@winnow/contract/duplicate';

type Issue = Pair['issue1'];

const PROJECT_ID = '00000000-0000-4000-8000-00000000000a';
const TRACKER_ID = '00000000-0000-4000-8000-00000000000b';

/** Creates an issue with the key PAY-`number` for tests. */
export function issueOf(number: number, state: Issue['state'] = 'opened'): Issue {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const at = '2026-11-22T08:00:00.000Z';
  return {
    id,
    key: `PAY-${number}`,
    title: `Issue ${number}`,
    status: state,
    state,
    issue_type: 'issue',
    author: null,
    project_id: PROJECT_ID,
    project: { id: PROJECT_ID, name: 'Pay', identifier: 'PAY' },
    tracker_id: TRACKER_ID,
    tracker: { name: 'T', type: 'github' },
    url: 'https://tracker.example/1',
    comments_count: 0,
    created_at: at,
    updated_at: at,
  };
}

/** Creates an undecided pair of an older and a newer issue for tests. */
export function pairOf(older: Issue, newer: Issue, changed: Partial<Pair> = {}): Pair {
  return {
    id: `${older.key} ${newer.key}`,
    issue1: older,
    issue2: newer,
    similarity: 0.9,
    probability: 0.5,
    standing: 'both_open',
    series: null,
    judgment: null,
    resolution: null,
    dismissed: false,
    undone: false,
    created_at: older.created_at,
    ...changed,
  };
}
