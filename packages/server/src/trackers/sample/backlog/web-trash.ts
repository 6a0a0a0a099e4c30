import type { SampleIssue } from './types.ts';

/** Trash, versions and retention. */
export const webTrash: SampleIssue[] = [
  {
    number: 620,
    title: 'Restoring a folder from the trash emits no change events',
    body: `\`trash.restore\` for a folder flips \`deleted_at\` on all rows in one statement and writes one event for the folder itself, none for what is below it. Consumers of the change feed treat it as an empty folder, or ignore it when they still hold the tombstone.

The web app reads the database and shows everything. Desktop clients live off the feed and never learn of the restored files.

Either one event per item (feeds of 200,000 events for large folders), or a \`subtree\` event that tells consumers to list the folder. I prefer the second; clients from 4.2 on know the event from moving folders between spaces.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:trash', 'area:api'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 354,
    updatedDaysAgo: 347,
    comments: [{ author: 'mlindqvist', body: 'Subtree event is fine for the engine.', daysAgo: 347 }],
    truth: {},
  },
  {
    number: 692,
    title: 'Retention rules as a model of their own',
    body: `How long versions and deleted files are kept is spread over five constants and two plan flags. We cannot answer "why was this deleted" and cannot make exceptions.

Replace by a policy: scope (organization, space), what (versions, trash), days or unlimited, who set it and when. Evaluation order: space before organization before plan. The nightly purge asks the policy and writes the rule's id with each deletion.

Steps
- [ ] table, evaluation, tests with a fake clock
- [ ] import of today's constants
- [ ] purge job reads the policy
- [ ] read-only view in Admin

Editing by administrators comes later. 5 to 8 points, I would like a second pair of eyes on the purge.`,
    type: 'task',
    priority: 'medium',
    labels: ['area:trash', 'backend'],
    author: 'dmitri-k',
    assignees: ['dmitri-k'],
    state: 'opened',
    createdDaysAgo: 256,
    updatedDaysAgo: 106,
    comments: [{ author: 'jpereira', body: 'I can review the purge part.', daysAgo: 106 }],
    truth: {},
  },
  {
    number: 760,
    title: 'Version history shows "Unknown user" as editor',
    body: `In the version history of many of our files the editor is "Unknown user". The person exists, is active, and is the one who sits at that PC. In her other files from last year her name is shown.

It started the day her notebook was repaired and she had to connect Skua anew. Everything she has saved since then has no name. Files she uploads in the browser are all right.

We need to know who changed a drawing and when, it is part of our quality audit.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:trash', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 164,
    updatedDaysAgo: 161,
    comments: [
      {
        author: 'lena-support',
        body: 'Restarting the client on her notebook helped, for new files only.',
        daysAgo: 161,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1275' },
  },
  {
    number: 777,
    title: 'Do old versions and the trash count toward our quota?',
    body: `The bar in Admin says 1.8 of 2 TB. When I add up all our spaces I come to 1.1 TB. Are the 0.7 TB old versions, or deleted files, or both? And if I empty the trash, when does the bar go down?

I could not find it on the help pages. A second color in the bar would answer the question for everybody.`,
    type: 'question',
    priority: 'low',
    labels: ['question', 'area:trash', 'area:admin'],
    author: 'yuki-t',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 141,
    updatedDaysAgo: 134,
    comments: [
      {
        author: 'lena-support',
        body: 'Both count. The bar is refreshed during the night, so you see the effect the next day. I leave this open for the second color and for the help page.',
        daysAgo: 134,
      },
    ],
    truth: {},
  },
  {
    number: 801,
    title: 'Legal hold',
    body: `As legal counsel I must be able to freeze spaces and persons for the time of a proceeding, so that nothing relevant is deleted, neither by people nor by the nightly clean-up.

- start and end a hold with name, reason and period; only for the role *Legal*
- members may go on working; deleted files and old versions stay, visible to *Legal* only
- the hold wins over every retention rule
- export of everything under a hold as an archive with checksums
- members are not told about it

Depends on #692, there is no rule today that a hold could win over.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:trash', 'area:admin'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 108,
    updatedDaysAgo: 104,
    comments: [
      { author: 'dmitri-k', body: 'The export is a project of its own, please split.', daysAgo: 104 },
    ],
    truth: { blockedBy: ['skua/web#692'] },
  },
  {
    number: 819,
    title: 'Restore does not always work',
    body: `Sometimes when I restore an older version it does not work. Other times it does.`,
    type: 'bug',
    priority: null,
    labels: ['needs-info', 'area:trash'],
    author: 'carlosmdz',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 84,
    updatedDaysAgo: 82,
    comments: [
      { author: 'lena-support', body: 'Do you get a message, or does simply nothing change?', daysAgo: 82 },
    ],
    truth: { quality: 'vague' },
  },
  {
    number: 848,
    title: 'Emptying a trash with 200,000 items times out',
    body: `*Empty trash* in a space with 204,118 items: spinner for 30 s, then "Something went wrong". About 12,000 items are gone afterwards, so pressing it seventeen times works.

The request deletes synchronously in one loop. It should create a job, answer 202, and the page should show the progress and survive a reload.

\`\`\`
POST /internal/trash/empty 504 after 30001 ms (gateway)
trash.empty: context canceled after 11874 deletes
\`\`\``,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:trash', 'performance'],
    author: 'okonjo-qa',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 44,
    updatedDaysAgo: 44,
    comments: [],
    truth: {},
  },
];
