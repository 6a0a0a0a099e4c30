// prose-exception-file: invented issues, written the way people write issues.
import type { GitHubSeed } from './seed.ts';

/**
 * Tokens for the small backlog. The first belongs to an administrator, the second to a user with
 * the triage role in one repository. The third is fine-grained and can only read this repository.
 */
export const smallSeedTokens = {
  admin: 'ghp_small_emulator_admin',
  triage: 'ghp_small_emulator_triage',
  readOnly: 'github_pat_small_emulator_read',
} as const;

/**
 * A small invented backlog for trying Winnow manually: a recipe app and its server. Two pairs of
 * issues are duplicates, one pair only looks similar, and one issue blocks another.
 */
export const smallSeed: GitHubSeed = {
  users: [
    { login: 'mira-holt', name: 'Mira Holt', email: 'mira@example.com' },
    { login: 'tomasz-r', name: 'Tomasz R.' },
    { login: 'pantry-bot' },
  ],
  orgs: [
    {
      login: 'ladle-app',
      name: 'Ladle',
      description: 'Recipes for shared kitchens',
      members: ['mira-holt', 'tomasz-r'],
    },
  ],
  tokens: [
    { token: smallSeedTokens.admin, login: 'mira-holt', scopes: ['repo', 'read:org'], repos: 'all' },
    {
      token: smallSeedTokens.triage,
      login: 'tomasz-r',
      repos: [{ full_name: 'ladle-app/ladle', permission: 'triage' }],
    },
    {
      token: smallSeedTokens.readOnly,
      login: 'tomasz-r',
      repos: [{ full_name: 'ladle-app/ladle', permission: 'triage', issues: 'read' }],
    },
  ],
  repos: [
    {
      owner: 'ladle-app',
      name: 'ladle',
      description: 'The app',
      issues: [
        {
          title: 'Shopping list loses items when two people edit it at once',
          body: 'Two phones, same list. I add milk, my partner adds eggs at the same moment. After the next refresh only the eggs are there.\n\n1. Open one list on two phones\n2. Add an item on each within a second\n3. Pull to refresh\n\nExpected: both items. Seen: the later one only. Version 4.2.1, Android 14.',
          user: 'tomasz-r',
          labels: ['bug', 'sync'],
          created_at: '2025-02-03T08:12:00Z',
          comments: [
            {
              user: 'mira-holt',
              body: 'I can reproduce this on iOS too.',
              created_at: '2025-02-03T10:40:00Z',
            },
          ],
        },
        {
          title: 'Dark mode for the recipe view',
          body: 'Reading a recipe at night is blinding. Please follow the system setting.',
          user: 'pantry-bot',
          labels: ['enhancement'],
          created_at: '2025-02-05T19:30:00Z',
        },
        {
          title: 'Items vanish from a shared shopping list after simultaneous edits',
          body: 'When my flatmate and I both add something to the shared list at the same time, one of the two entries is gone after refreshing. It happens on every attempt if we tap within about a second. Ladle 4.2.1.',
          user: 'pantry-bot',
          labels: ['bug'],
          created_at: '2025-02-11T17:05:00Z',
        },
        {
          title: 'Crash when a recipe photo is larger than 20 MB',
          body: 'Picking a 24 MB photo closes the app.\n\n```\njava.lang.OutOfMemoryError: Failed to allocate a 96000016 byte allocation\n  at app.ladle.photo.Thumbnailer.decode(Thumbnailer.kt:58)\n```',
          user: 'tomasz-r',
          labels: ['bug', 'photos'],
          created_at: '2025-02-14T09:00:00Z',
        },
        {
          title: 'Crash when a recipe has more than 200 steps',
          body: 'An imported recipe with 240 steps closes the app while scrolling.\n\n```\njava.lang.IndexOutOfBoundsException: Index 200 out of bounds for length 200\n  at app.ladle.recipe.StepList.bind(StepList.kt:31)\n```',
          user: 'mira-holt',
          labels: ['bug'],
          created_at: '2025-02-15T11:20:00Z',
        },
        {
          title: 'App is killed while importing a huge picture',
          body: 'Choosing a very big picture (about 25 MB) for a recipe ends the app with `java.lang.OutOfMemoryError: Failed to allocate` in `Thumbnailer.decode`.',
          user: 'mira-holt',
          labels: ['photos'],
          created_at: '2025-03-01T07:45:00Z',
        },
        {
          title: 'Make it faster',
          body: null,
          user: 'pantry-bot',
          created_at: '2025-03-02T12:00:00Z',
        },
        {
          title: 'Scale ingredients by the number of guests',
          body: 'As a host I want to set how many people come, so that I need not do the sums.\n\n- [ ] a stepper from 1 to 50 above the ingredients\n- [ ] amounts are rounded to what a kitchen scale shows\n- [ ] the choice is kept per recipe',
          user: 'mira-holt',
          labels: ['enhancement', 'ready'],
          assignees: ['tomasz-r'],
          created_at: '2025-03-04T15:10:00Z',
        },
        {
          title: 'Decode photos in slices',
          body: 'Uses `BitmapRegionDecoder`, so a large photo no longer fills the memory.',
          user: 'tomasz-r',
          pull_request: true,
          created_at: '2025-03-06T09:30:00Z',
        },
        {
          title: 'Typo on the welcome screen: "reciepe"',
          body: 'Second line, first word.',
          user: 'pantry-bot',
          state: 'closed',
          created_at: '2025-03-07T10:00:00Z',
          updated_at: '2025-03-07T13:00:00Z',
        },
      ],
    },
    {
      owner: 'ladle-app',
      name: 'ladle-server',
      description: 'The server',
      private: true,
      issues: [
        {
          title: 'Merge list edits instead of taking the last one',
          body: 'The list endpoint overwrites the whole list. Store edits as operations and merge them. The app cannot fix its lost items before this is done.',
          user: 'tomasz-r',
          labels: ['api'],
          created_at: '2025-02-20T14:00:00Z',
        },
        {
          title: 'Return 413 for photos above the limit',
          body: 'Uploads above 20 MB end in a 500. Answer 413 with the limit in the body.',
          user: 'mira-holt',
          labels: ['api', 'photos'],
          created_at: '2025-03-03T08:30:00Z',
        },
      ],
    },
  ],
};
