import type { SampleIssue } from './types.ts';

/** Choosing what is synced: selective sync, ignore rules, what reaches the device. */
export const syncSelective: SampleIssue[] = [
  {
    number: 1218,
    title: 'Unchecking a folder in selective sync deletes it for everybody',
    body: `Reported by two customers within an hour, reproduced.

1. Computer A: a folder has changes waiting to be uploaded.
2. On A, uncheck that folder in selective sync while the upload is running.
3. The local folder is removed (right), **and the removal is uploaded as a deletion** (wrong).

All members lose the folder. It can be restored from the trash in the web app.

The exclusion is written to the journal only after the running batch is done, so the watcher sees the removal as a normal deletion. 4.2.2 and 4.2.3, all platforms.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'area:selective-sync', 'data-loss'],
    author: 'lena-support',
    assignees: ['mlindqvist'],
    state: 'closed',
    createdDaysAgo: 383,
    updatedDaysAgo: 379,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Exclusion is now committed first and the watcher is told before anything is removed. 4.2.4 is being built.',
        daysAgo: 382,
      },
      {
        author: 'okonjo-qa',
        body: 'Verified with 500 runs of the script, no deletion uploaded. Added to the regression suite.',
        daysAgo: 381,
      },
      { author: 'lena-support', body: 'Both customers restored everything. Closing.', daysAgo: 379 },
    ],
    truth: {},
  },
  {
    number: 1351,
    title: 'Support a .skuaignore file',
    body: `## Goal
Developers and designers can keep generated files out of sync without moving them.

## Acceptance criteria
- A file \`.skuaignore\` in any folder applies to that folder and below.
- Patterns as in .gitignore: \`*\`, \`**\`, \`?\`, trailing slash, comments. \`node_modules/\`, \`*.tmp\` and \`~$*\` are covered by tests.
- Files that are already synced stay on the server until they are removed there; nothing is ever deleted because of a pattern.
- A change to the file takes effect within 10 s.
- The context menu shows "Ignored by .skuaignore" on such items.

## Not in scope
An editor for rules in Preferences; rules per organization.

## Approach
Compile the patterns per folder, cache by modification time, ask before an item enters the queue. The file itself is synced, so all devices agree.

Estimate: 8. No dependencies.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:selective-sync'],
    author: 'mlindqvist',
    assignees: ['hana-s'],
    state: 'closed',
    createdDaysAgo: 249,
    updatedDaysAgo: 110,
    comments: [
      {
        author: 'fjordfisk',
        body: 'Please also honor a global file in the configuration folder, many of us have the same rules everywhere.',
        daysAgo: 220,
      },
      { author: 'hana-s', body: 'Released with 4.6.0. The global file is not part of it.', daysAgo: 110 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 1444,
    title: 'Exclude files by pattern (node_modules, *.tmp)',
    body: `Hi, I want that some files are never uploaded: all folders with the name node_modules and all with the ending .tmp or beginning with ~$. Selective sync works only for single folders on one computer, so I click the same 60 folders on each machine, and with every new project again.

A list of patterns somewhere would be enough for me.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'duplicate', 'area:selective-sync'],
    author: 'carlosmdz',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 157,
    updatedDaysAgo: 154,
    comments: [
      {
        author: 'hana-s',
        body: 'This is coming with the next minor version. Closing as duplicate of #1351.',
        daysAgo: 154,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1351' },
  },
  {
    number: 1493,
    title: 'Folder restored from the trash does not come back on the desktop',
    body: `A colleague deleted a project folder by mistake. I restored it in the web app, there it is complete again. On the desktops of the team it never appears. Not after an hour, not after a restart. If somebody adds a file to the folder in the browser, then that one file arrives, alone in an otherwise empty folder.

Only signing out and in again (full sync, 3 hours) brought everything back.

Windows and Mac, Skua 4.5.3. I would have expected it to be there within a minute on each machine.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:engine', 'customer'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 108,
    updatedDaysAgo: 100,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Please send the log of one of the desktops from the time of the restore. I would like to see whether the client was told at all.',
        daysAgo: 106,
      },
      {
        author: 'bgruber',
        body: 'Sent. I find nothing between 14:10 and 14:30, and the restore was at 14:17.',
        daysAgo: 100,
      },
    ],
    truth: { duplicateOf: 'skua/web#620' },
  },
  {
    number: 1508,
    title: '.skuaignore: negated patterns do not work below an ignored folder',
    body: `With this \`.skuaignore\`

\`\`\`
build/
!build/release/
\`\`\`

nothing below \`build\` is synced, \`build/release\` included. I know that .gitignore behaves the same for a folder that is excluded as a whole, but with \`build/*\` and \`!build/release/\` it does not work here either, and there it should.

It seems the walk stops at \`build\` and never looks at the second line. 4.6.1 on Fedora. The rest of #1351 works very well, thank you.`,
    type: 'bug',
    priority: 'low',
    labels: ['bug', 'area:selective-sync'],
    author: 'fjordfisk',
    assignees: ['hana-s'],
    state: 'opened',
    createdDaysAgo: 92,
    updatedDaysAgo: 90,
    comments: [
      {
        author: 'hana-s',
        body: 'You are right about the second form. The matcher treats `build/*` as `build/`.',
        daysAgo: 90,
      },
    ],
    truth: { relatedTo: ['skua/sync#1351'] },
  },
  {
    number: 1566,
    title: 'Selective sync list is empty for external users',
    body: `External partners who are members of a group (we add the group to the space, not each person) see an empty list in Preferences > Folders. "You have no folders yet." The same people added to the space one by one see everything.

Normal members of the same group are fine. Tested with three guest accounts, 4.7.0, Windows and macOS.

We have 40 partners and manage them by group on purpose.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:selective-sync', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 34,
    updatedDaysAgo: 31,
    comments: [
      {
        author: 'okonjo-qa',
        body: 'Reproduced. The list of spaces that the client gets for such an account is empty.',
        daysAgo: 31,
      },
    ],
    truth: { duplicateOf: 'skua/web#604' },
  },
  {
    number: 1585,
    title: 'selective sync doesnt work',
    body: '',
    type: 'bug',
    priority: null,
    labels: ['needs-info'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 15,
    updatedDaysAgo: 15,
    comments: [],
    truth: { quality: 'vague' },
  },
];
