import type { SampleIssue } from './types.ts';

/** The engine without a window: command line, servers, crash reports, internals. */
export const syncEngine: SampleIssue[] = [
  {
    number: 1275,
    title: 'Uploads are attributed to "Unknown user" after a device was linked again',
    body: `If a device is unlinked and linked again, the engine keeps sending the device id from before. The server no longer knows it and stores the upload without an editor.

In the web app these files show "Unknown user" in the Modified by column and in the version history. About 2 % of all versions in the last month, by a query on staging data.

\`device_id\` is read once at start and cached in \`transfer::Context\`. It has to be replaced when the link succeeds. 4.2.6.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:engine'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 326,
    updatedDaysAgo: 320,
    comments: [
      {
        author: 'dmitri-k',
        body: 'I made the server log a warning for unknown devices, so we can count them.',
        daysAgo: 320,
      },
    ],
    truth: {},
  },
  {
    number: 1476,
    title: 'CLI: skua status --json',
    body: `\`skua status\` prints sentences, and they change with the language of the system. For monitoring I need something stable:

\`\`\`
$ skua status --json
{"state":"syncing","queued":12,"in_flight":3,"errors":[],"last_sync":"2024-05-02T08:11:09Z"}
\`\`\`

Exit code 0 for idle or syncing, 1 for errors, 2 when the engine is not running.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:engine', 'good first issue'],
    author: 'fjordfisk',
    assignees: ['hana-s'],
    state: 'closed',
    createdDaysAgo: 125,
    updatedDaysAgo: 43,
    comments: [
      {
        author: 'hana-s',
        body: 'In 4.7.0. The fields are documented in `man skua` and we treat them as an interface.',
        daysAgo: 43,
      },
    ],
    truth: {},
  },
  {
    number: 1499,
    title: 'Crash reports contain names of files and folders',
    body: `The list of recent operations in a crash report holds full paths. Names alone can be confidential (clients, patients, projects), and the consent text says "technical data only".

- replace each path component by a salted hash, keep the extension and the depth
- the salt stays on the device, so support can compare two reports of one user and nothing else
- delete the raw paths from reports we already have (retention is 90 days, about 31,000 reports)

Found while looking at something unrelated. I have told the data protection officer.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'privacy', 'area:engine'],
    author: 'mlindqvist',
    assignees: ['mlindqvist', 'dmitri-k'],
    state: 'closed',
    createdDaysAgo: 101,
    updatedDaysAgo: 94,
    comments: [
      { author: 'dmitri-k', body: 'Stored reports are cleaned, checked with a sample of 500.', daysAgo: 97 },
      { author: 'mlindqvist', body: 'Client side is in 4.6.2.', daysAgo: 94 },
    ],
    truth: {},
  },
  {
    number: 1539,
    title: 'Headless mode for servers',
    body: `We want to run Skua on a Linux server without a desktop, as a systemd service, to bring the nightly exports to the office PCs.

What is missing, as far as I can see:

- [x] #1476 so that monitoring can see the state
- [ ] skua/web#722 so that a server can sign in without a person
- [ ] a unit file, one instance per system user
- [ ] a package without the tray and its dependencies
- [ ] log to the journal instead of \`~/.skua/log\`

I can help with packaging and documentation.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:engine', 'platform:linux'],
    author: 'fjordfisk',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 61,
    updatedDaysAgo: 39,
    comments: [
      { author: 'samir-ops', body: 'We would use this on about 20 machines.', daysAgo: 55 },
      { author: 'hana-s', body: 'I like the list. The unit file is nearly there.', daysAgo: 39 },
    ],
    truth: { blockedBy: ['skua/sync#1476', 'skua/web#722'] },
  },
  {
    number: 1574,
    title: 'Refactor the scheduler',
    body: `It has become hard to change. Clean it up.`,
    type: 'task',
    priority: 'low',
    labels: ['tech-debt', 'area:engine'],
    author: 'rkowalczyk',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 26,
    updatedDaysAgo: 26,
    comments: [],
    truth: { quality: 'vague' },
  },
];
