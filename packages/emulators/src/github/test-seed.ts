import type { GitHubSeed } from './seed.ts';

/** Tokens of `testSeed`, named after their permissions. */
export const tokens = {
  admin: 'ghp_trial_admin',
  triage: 'ghp_trial_triage',
  noScopes: 'ghp_trial_no_scopes',
  fineReader: 'github_pat_trial_reader',
  fineWriter: 'github_pat_trial_writer',
  fineBlind: 'github_pat_trial_blind',
} as const;

/**
 * A few issues that cover all states needed by the emulator's tests. `acme/private` is visible only
 * to tokens that list it.
 */
export const testSeed: GitHubSeed = {
  users: [{ login: 'ada', name: 'Ada', email: 'ada@example.com' }, { login: 'ben' }, { login: 'cleo' }],
  orgs: [{ login: 'acme', name: 'Acme', members: ['ada', 'ben'] }],
  tokens: [
    { token: tokens.admin, login: 'ada', scopes: ['repo', 'user'] },
    { token: tokens.triage, login: 'ben', repos: [{ full_name: 'acme/shop', permission: 'triage' }] },
    { token: tokens.noScopes, login: 'ben', scopes: [], repos: 'all' },
    {
      token: tokens.fineReader,
      login: 'ben',
      repos: [{ full_name: 'acme/private', permission: 'write', issues: 'read' }],
    },
    { token: tokens.fineWriter, login: 'ben', repos: [{ full_name: 'acme/private', permission: 'write' }] },
    {
      token: tokens.fineBlind,
      login: 'ben',
      repos: [{ full_name: 'acme/private', permission: 'write', issues: 'none' }],
    },
  ],
  repos: [
    {
      owner: 'acme',
      name: 'shop',
      labels: [{ name: 'wontfix', color: '112233' }],
      issues: [
        {
          title: 'Cart is empty after sign-in',
          body: 'Steps follow.',
          user: 'cleo',
          labels: ['bug', 'cart'],
          created_at: '2024-01-01T10:00:00Z',
          comments: [{ user: 'ben', body: 'Same here.', created_at: '2024-01-02T10:00:00Z' }],
        },
        { title: 'Cart lost on sign-in', body: null, user: 'ben', created_at: '2024-01-03T10:00:00Z' },
        {
          title: 'Add a wish list',
          body: 'Please.',
          user: 'cleo',
          state: 'closed',
          state_reason: 'not_planned',
          created_at: '2024-01-04T10:00:00Z',
        },
        {
          title: 'Keep the cart',
          body: 'Fixes #1',
          user: 'ada',
          pull_request: true,
          created_at: '2024-01-05T10:00:00Z',
        },
        {
          title: 'Heated debate',
          body: 'No.',
          user: 'ada',
          locked: true,
          created_at: '2024-01-06T10:00:00Z',
        },
      ],
    },
    { owner: 'acme', name: 'private', private: true, issues: [{ title: 'Secret', body: 'x', user: 'ada' }] },
    { owner: 'ada', name: 'notes', issues: [] },
    { owner: 'acme', name: 'old', archived: true, issues: [{ title: 'Old', body: 'x', user: 'ada' }] },
    {
      owner: 'acme',
      name: 'mirror',
      has_issues: false,
      issues: [
        { title: 'Hidden', body: 'x', user: 'ada' },
        { title: 'A pull request', body: 'x', user: 'ada', pull_request: true },
      ],
    },
  ],
};
