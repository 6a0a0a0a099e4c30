import type { SampleIssue } from './types.ts';

/** Online-only files: opening, pinning, freeing space. */
export const syncPlaceholders: SampleIssue[] = [
  {
    number: 1271,
    title: 'Opening an online-only file without a connection freezes Explorer for 60 seconds',
    body: `1. Make a file online-only.
2. Turn the network off.
3. Double-click the file.

Explorer does not answer for 60 s, then shows error 0x8007016A. All its windows are affected, the desktop too.

We wait for the fetch with the default timeout although we know that we are offline. The callback should fail at once with the "network not available" status, then Explorer shows its own dialog with *Try again*.

Windows 11, 4.2.6.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:placeholders', 'platform:windows'],
    author: 'rkowalczyk',
    assignees: ['rkowalczyk'],
    state: 'opened',
    createdDaysAgo: 330,
    updatedDaysAgo: 246,
    comments: [
      {
        author: 'okonjo-qa',
        body: 'Also with a connection that is up but has no route, for example a hotel portal before sign-in.',
        daysAgo: 246,
      },
    ],
    truth: {},
  },
  {
    number: 1330,
    title: 'macOS: online-only files are downloaded in full by the search indexer',
    body: `After the upgrade to 4.3 the disk fills up within hours on Macs with large online-only trees. \`fs_usage\` shows the system's indexer opening every file for reading, and each open triggers a download.

We do not set the flag that marks a placeholder as dataless for background readers, so the indexer cannot know. With the flag set, reads with the "no materialize" policy get an error instead of the content, and the indexer skips the file.

Affects everybody on macOS 13 and later with online-only files. Please treat it as urgent, people run out of space.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'area:placeholders', 'platform:macos', 'regression'],
    author: 'hana-s',
    assignees: ['hana-s'],
    state: 'closed',
    createdDaysAgo: 271,
    updatedDaysAgo: 259,
    comments: [
      {
        author: 'lena-support',
        body: 'Eleven tickets since yesterday. Is there anything I can tell them?',
        daysAgo: 270,
      },
      {
        author: 'hana-s',
        body: 'They can exclude the Skua folder in the privacy list of the search settings. Fix is in 4.3.4, out tomorrow.',
        daysAgo: 269,
      },
      { author: 'lena-support', body: 'Confirmed fixed by four of them. Closing.', daysAgo: 259 },
    ],
    truth: {},
  },
  {
    number: 1427,
    title: 'Windows: online-only files are downloaded in full by antivirus scans',
    body: `During a scheduled full scan every online-only file is fetched. One customer had 1.4 TB coming in over night and a full disk in the morning.

Most scanners skip placeholders when the "recall on data access" attribute is set. We set it on files, but folders that were created by a rename on the server miss it, and everything below them counts as normal content.

- set the attribute when a folder is created from a remote rename
- repair existing folders at the next start
- add the process of the scanner to the log when a fetch is triggered, so that support can see who asked

4.5.0, Windows 10 and 11. Reproduced with the scanner that comes with the system.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:placeholders', 'platform:windows', 'customer'],
    author: 'rkowalczyk',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 174,
    updatedDaysAgo: 103,
    comments: [
      {
        author: 'lena-support',
        body: 'The customer now excludes the folder from the scan, which their auditor does not like.',
        daysAgo: 103,
      },
    ],
    truth: { relatedTo: ['skua/sync#1330'] },
  },
  {
    number: 1462,
    title: 'Keep chosen folders always available offline',
    body: `As a site manager without reception on most building sites, I want to mark folders as "Always on this device", so that the plans are there when I need them, including those which a colleague adds later.

- context menu on files and folders, shown as a solid check mark
- new files below a marked folder are downloaded without opening them
- the mark survives renames and moves inside the Skua folder
- the marks are per device

Not decided: what happens when a marked folder does not fit on the disk.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:placeholders'],
    author: 'pvarga',
    assignees: ['rkowalczyk'],
    state: 'opened',
    createdDaysAgo: 139,
    updatedDaysAgo: 33,
    comments: [
      {
        author: 'rkowalczyk',
        body: 'Windows has the pin state built in. For macOS and Linux we need a column in the journal.',
        daysAgo: 128,
      },
      { author: 'bgruber', body: 'Das wäre für unsere Bauleiter sehr wichtig.', daysAgo: 33 },
    ],
    truth: {},
  },
  {
    number: 1496,
    title: 'Free up space automatically for files not opened in 30 days',
    body: `## Goal
Users with small disks do not have to tidy up by hand. In the survey 41 % of online-only users said they do it weekly.

## Acceptance criteria
- [ ] Off by default. Preferences > Storage offers 14, 30, 60, 90 days.
- [ ] A file is made online-only when it was last opened or changed before that time, is fully uploaded and is not open.
- [ ] Files below a folder marked "Always on this device" are never touched.
- [ ] Runs once a day while the machine is idle; frees at most 50 GB per run.
- [ ] The log lists each file; the tray tells the total once a week.

## Out of scope
Deleting anything on the server. Reacting to a nearly full disk.

## Approach
Last use from the placeholder callbacks on Windows, access time elsewhere. Candidates by one query on the journal.

## Dependencies
Blocked by #1462, otherwise there is nothing that protects a folder.

## Estimate
5 points`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:placeholders'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 104,
    updatedDaysAgo: 88,
    comments: [],
    truth: { blockedBy: ['skua/sync#1462'], quality: 'ready' },
  },
  {
    number: 1548,
    title: 'No thumbnails for online-only pictures',
    body: `In a folder with 600 online-only photos Explorer and Finder show the generic icon. People download the lot just to find one picture.

The shell extensions can supply thumbnails without hydrating, if somebody gives them one. We would need small images from the server by file id in two or three sizes (96, 256, 1024 pixels). What the web app loads today is the full preview, 2 MB per picture, so that is no way.

Cache on disk, 200 MB at most, keyed by file id and revision.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:placeholders', 'area:shell'],
    author: 'hana-s',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 52,
    updatedDaysAgo: 45,
    comments: [{ author: 'wendy-atelier', body: 'Yes please. I sort photos all day.', daysAgo: 45 }],
    truth: { blockedBy: ['skua/web#668'] },
  },
  {
    number: 1577,
    title: 'Never remove local copies automatically',
    body: `I read in the forum that Skua will make files online-only when they have not been opened in 30 days. Please do not do that, or let an administrator switch it off for the whole organization. Our measuring stations have no connection for months, and the reference files on them are opened once a year. If the local copy is gone by then, the station stands still.

What we need is a policy "keep all local copies", enforced, not a preference that each user can change.`,
    type: 'feature',
    priority: null,
    labels: ['enhancement', 'area:placeholders', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 23,
    updatedDaysAgo: 21,
    comments: [
      {
        author: 'pvarga',
        body: 'It will be off by default. I take the wish for an enforced policy with me.',
        daysAgo: 21,
      },
    ],
    truth: { relatedTo: ['skua/sync#1496'] },
  },
];
