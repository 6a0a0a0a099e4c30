import type { SampleIssue } from './types.ts';

/** Installers, updates, packages. */
export const syncInstall: SampleIssue[] = [
  {
    number: 1240,
    title: 'Windows: update fails with 1603 while the old version is running',
    body: `The MSI ends with 1603 when \`skua-engine.exe\` is still running as another user (fast user switching, terminal servers).

\`\`\`
MSI (s) (A4:1C) [09:12:44:310]: Product: Skua -- Error 1306. Another application has exclusive access to the file 'C:\\Program Files\\Skua\\skua-engine.exe'.
MSI (s) (A4:1C) [09:12:51:007]: MainEngineThread is returning 1603
\`\`\`

The custom action stops the engine of the current session only. It should stop all of them through the service and start them again afterwards.

4.2.2 to 4.2.4.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:installer', 'platform:windows'],
    author: 'rkowalczyk',
    assignees: ['rkowalczyk'],
    state: 'closed',
    createdDaysAgo: 361,
    updatedDaysAgo: 255,
    comments: [
      {
        author: 'samir-ops',
        body: 'Same on our terminal servers. We now roll out at night after logging everybody off.',
        daysAgo: 322,
      },
      { author: 'rkowalczyk', body: 'Fixed in 4.4.0, the service takes care of all sessions.', daysAgo: 255 },
    ],
    truth: {},
  },
  {
    number: 1335,
    title: 'Windows: update to 4.3.4 fails with error 1603',
    body: `Two people share the reception PC, each with an own Windows login. When the update comes, a window opens: "Skua Setup ended prematurely", and in the event log there is

\`\`\`
Product: Skua -- Error 1306. Another application has exclusive access to the file 'C:\\Program Files\\Skua\\skua-engine.exe'.
Installation success or error status: 1603.
\`\`\`

When I stop skua-engine.exe of the other user in the task list, or restart the PC and log in with only one of the two accounts, the update can be installed.

This happens with every update now. Can the installer please say what it wants.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'duplicate', 'area:installer', 'customer'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 266,
    updatedDaysAgo: 263,
    comments: [
      {
        author: 'lena-support',
        body: 'The second login keeps the program file open. Until the fix is out: let the other person sign out first.',
        daysAgo: 265,
      },
      { author: 'rkowalczyk', body: 'Duplicate of #1240.', daysAgo: 263 },
    ],
    truth: { duplicateOf: 'skua/sync#1240' },
  },
  {
    number: 1455,
    title: 'Windows on ARM64: native build',
    body: `The x64 build runs under emulation, but the shell extension does not load (Explorer is native and cannot take an x64 DLL), so there are no overlay icons and no context menu.

- [x] engine for \`aarch64-pc-windows-msvc\`
- [x] shell extension as ARM64
- [x] MSI with both, chosen at install time
- [x] crash reports with the right symbols
- [x] one machine in the test lab`,
    type: 'task',
    priority: 'medium',
    labels: ['enhancement', 'area:installer', 'platform:windows'],
    author: 'rkowalczyk',
    assignees: ['rkowalczyk'],
    state: 'closed',
    createdDaysAgo: 146,
    updatedDaysAgo: 61,
    comments: [
      { author: 'samir-ops', body: 'Runs on our eight tablets since yesterday.', daysAgo: 65 },
      { author: 'rkowalczyk', body: 'Then I call it done.', daysAgo: 61 },
    ],
    truth: {},
  },
  {
    number: 1555,
    title: 'Linux on ARM64: native packages (.deb, .rpm)',
    body: `## Goal
Users of ARM boards and laptops install Skua from our repository as on x86-64. 63 votes in the forum.

## Acceptance criteria
- [ ] \`apt install skua-desktop\` and \`dnf install skua-desktop\` work on Debian 12, Ubuntu 24.04 and Fedora 40 for aarch64.
- [ ] The engine's test suite passes on ARM in the nightly build.
- [ ] Updates arrive from the same repository, signed with the same key.
- [ ] The download page offers the architecture that the browser reports.

## Out of scope
32-bit ARM; app images; placeholders (they do not exist on Linux yet).

## Approach
Cross-compile the engine with the toolchain of the x86 build, run the tests under emulation for pull requests and on a real board at night. The tray part has no native code of its own.

## Dependencies
None, the board is in the lab.

## Estimate
5 points`,
    type: 'task',
    priority: 'medium',
    labels: ['enhancement', 'area:installer', 'platform:linux'],
    author: 'hana-s',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 45,
    updatedDaysAgo: 32,
    comments: [
      { author: 'fjordfisk', body: 'Happy to test nightly builds on three different boards.', daysAgo: 32 },
    ],
    truth: { relatedTo: ['skua/sync#1455'], quality: 'ready' },
  },
  {
    number: 1591,
    title: 'Not everything works as before',
    body: `Something is different since the update. Please have a look.`,
    type: 'bug',
    priority: null,
    labels: ['needs-info', 'area:installer'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 9,
    updatedDaysAgo: 8,
    comments: [
      { author: 'lena-support', body: 'Können Sie uns sagen, was genau nicht mehr geht?', daysAgo: 8 },
    ],
    truth: { quality: 'vague' },
  },
];
