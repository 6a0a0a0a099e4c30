import type { GitLabSeed } from './seed.ts';

/** Tokens of `testSeed`, named after their permissions. */
export const tokens = {
  maintainer: 'glpat-trial-maintainer',
  reporter: 'glpat-trial-reporter',
  guest: 'glpat-trial-guest',
  stranger: 'glpat-trial-stranger',
  reader: 'glpat-trial-reader',
  userOnly: 'glpat-trial-user-only',
} as const;

/** A few items that cover all states needed by the emulator's tests. */
export const testSeed: GitLabSeed = {
  users: [
    { username: 'ada', name: 'Ada Lovelace' },
    { username: 'rex' },
    { username: 'gil' },
    { username: 'sam' },
  ],
  groups: [
    { full_path: 'acme', members: { ada: 'maintainer' } },
    { full_path: 'acme/web', name: 'Web' },
  ],
  projects: [
    {
      path_with_namespace: 'acme/shop',
      members: { rex: 'reporter', gil: 'guest' },
      issues: [
        {
          title: 'Cart is empty after sign-in',
          description: 'Steps follow.',
          author: 'gil',
          labels: ['bug', 'cart'],
          created_at: '2024-01-01T10:00:00Z',
          notes: [
            { author: 'rex', body: 'Same here.', created_at: '2024-01-02T10:00:00Z' },
            { author: 'ada', body: 'Between us.', created_at: '2024-01-02T11:00:00Z', internal: true },
            { author: 'ada', body: 'added ~bug label', created_at: '2024-01-02T12:00:00Z', system: true },
          ],
        },
        { title: 'Cart lost', author: 'rex', created_at: '2024-01-03T10:00:00Z' },
        { title: 'Leak', author: 'ada', confidential: true, created_at: '2024-01-04T10:00:00Z' },
        { title: 'Done', author: 'ada', state: 'closed', created_at: '2024-01-05T10:00:00Z' },
      ],
      merge_requests: [{ title: 'Keep the cart', author: 'ada', created_at: '2024-01-06T10:00:00Z' }],
    },
    { path_with_namespace: 'acme/web/site', issues: [{ title: 'Other', author: 'ada' }] },
    { path_with_namespace: 'acme/open', visibility: 'public', issues: [{ title: 'Public', author: 'ada' }] },
    { path_with_namespace: 'ada/notes', issues: [] },
  ],
  tokens: [
    { token: tokens.maintainer, username: 'ada' },
    { token: tokens.reporter, username: 'rex' },
    { token: tokens.guest, username: 'gil' },
    { token: tokens.stranger, username: 'sam' },
    { token: tokens.reader, username: 'ada', scopes: ['read_api'] },
    { token: tokens.userOnly, username: 'ada', scopes: ['read_user'] },
  ],
};
