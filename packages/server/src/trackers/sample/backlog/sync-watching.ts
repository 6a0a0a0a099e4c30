import type { SampleIssue } from './types.ts';

/** Noticing local changes: watchers, their limits and what they cost. */
export const syncWatching: SampleIssue[] = [
  {
    number: 1253,
    title: 'Windows: high CPU while watching a folder with many small changes',
    body: `\`skua-engine.exe\` sits at 100 % of one core for 10 to 40 minutes after a build or a package install inside the sync folder.

Cause: the buffer for \`ReadDirectoryChangesW\` is 64 KB. When it overflows we rescan the whole tree from the root, and while we rescan it overflows again.

\`\`\`
watcher: buffer overflow, scheduling full rescan (reason=overflow, queue=18211)
watcher: rescan finished in 388214 ms
watcher: buffer overflow, scheduling full rescan (reason=overflow, queue=9930)
\`\`\`

Ideas
- read continuously into a larger ring, handle on another thread
- rescan only the top-level folder that overflowed
- back off: one rescan per 5 minutes

4.2.5, Windows 10 and 11.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'performance', 'area:watcher', 'platform:windows'],
    author: 'rkowalczyk',
    assignees: ['rkowalczyk'],
    state: 'opened',
    createdDaysAgo: 348,
    updatedDaysAgo: 126,
    comments: [
      {
        author: 'mlindqvist',
        body: 'The back-off alone would take most of the pain away. Let us start there.',
        daysAgo: 345,
      },
      { author: 'rkowalczyk', body: 'Back-off is in 4.4.0. The ring is still to do.', daysAgo: 257 },
      {
        author: 'samir-ops',
        body: 'We see it on 4.5.3 on developer machines, shorter than before but still several minutes per build.',
        daysAgo: 126,
      },
    ],
    truth: {},
  },
  {
    number: 1286,
    title: 'Linux: inotify watch limit reached, changes are silently ignored',
    body: `When the tree has more folders than \`fs.inotify.max_user_watches\` allows (8192 on older systems, 65536 on others), \`inotify_add_watch\` returns ENOSPC for the rest. We log it once at debug level and go on. Everything below those folders is never noticed until the next start.

What we should do:
1. count folders before adding watches; if the limit is too low, say so in the tray and name the number to set,
2. poll the folders that have no watch every 60 s,
3. let the package raise the limit through a file in \`/etc/sysctl.d\`.

Client 4.3.0.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:watcher', 'platform:linux'],
    author: 'hana-s',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 315,
    updatedDaysAgo: 299,
    comments: [
      {
        author: 'fjordfisk',
        body: 'A package that changes sysctl values will not make it into my distribution. Points 1 and 2, please.',
        daysAgo: 299,
      },
    ],
    truth: {},
  },
  {
    number: 1307,
    title: 'macOS: high CPU while watching a large folder after wake-up',
    body: `\`skua-engine\` takes 100 % of one core for several minutes after the Mac wakes up. It is not the scan. Sampling shows that we ask FSEvents for the history since the last stored event id, get the *whole* history of the volume (backup and indexing included), and match each path against the ignore rules with a linear search.

\`\`\`
1842 watcher::macos::replay
  1790 rules::is_ignored
    1788 core::slice::contains
\`\`\`

On my machine that is 2.1 million events after a night. Filtering by prefix before the rules takes it down to 4 s.

4.3.1, macOS 13 and 14.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'performance', 'area:watcher', 'platform:macos'],
    author: 'hana-s',
    assignees: ['hana-s'],
    state: 'closed',
    createdDaysAgo: 294,
    updatedDaysAgo: 262,
    comments: [{ author: 'hana-s', body: 'Fixed in 4.3.5.', daysAgo: 262 }],
    truth: { relatedTo: ['skua/sync#1253'] },
  },
  {
    number: 1398,
    title: 'Windows: high CPU of skua-engine when npm install runs in a synced folder',
    body: `I keep my side projects in the Skua folder. When I install packages (about 40k files) the fan goes on and stays on for half an hour. Task Manager shows skua-engine.exe at 12.5 %, which is one of eight cores.

The log is full of \`buffer overflow, scheduling full rescan\`.

Win 11 23H2, Skua 4.4.2. Pausing sync before the install and resuming after it does not help, the rescan then comes later.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'duplicate', 'platform:windows'],
    author: 'fjordfisk',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 203,
    updatedDaysAgo: 201,
    comments: [
      {
        author: 'rkowalczyk',
        body: 'Thanks for the log line, that makes it clear. Duplicate of #1253, please follow there.',
        daysAgo: 201,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1253' },
  },
  {
    number: 1433,
    title: 'Ubuntu: changes in deep folders are silently ignored until restart',
    body: `Files I change in \`projects/archive/**\` are not uploaded. No error, the tray says everything is up to date. After restarting the client they go up, and then the next change is missed again. Folders near the top work fine.

I have about 90,000 folders. With debug logging there is one line at start that may matter:

\`\`\`
DEBUG watcher: inotify_add_watch: No space left on device (os error 28)
\`\`\`

The disk is half empty, so I do not know what it means. Ubuntu 22.04, skua-desktop 4.5.1.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'platform:linux', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 168,
    updatedDaysAgo: 164,
    comments: [
      {
        author: 'lena-support',
        body: 'As a workaround, restarting the client once a day by a timer is fine and loses nothing.',
        daysAgo: 164,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1286' },
  },
  {
    number: 1516,
    title: 'External drive',
    body: `Changes on my external drive are not seen.`,
    type: 'bug',
    priority: null,
    labels: ['needs-info', 'area:watcher'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 84,
    updatedDaysAgo: 48,
    comments: [
      {
        author: 'hana-s',
        body: 'Which system, and how is the drive formatted? Is the whole Skua folder on it or only a linked folder?',
        daysAgo: 82,
      },
      {
        author: 'hana-s',
        body: 'No answer for a month, closing. Please write again if it still happens.',
        daysAgo: 48,
      },
    ],
    truth: { quality: 'vague' },
  },
];
