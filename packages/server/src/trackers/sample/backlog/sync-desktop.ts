import type { SampleIssue } from './types.ts';

/** The shell: tray, notifications, preferences, file manager menus. */
export const syncDesktop: SampleIssue[] = [
  {
    number: 1341,
    title: 'Tray says "Up to date" while uploads are still running',
    body: `The tray icon turns to the green check as soon as the queue is *empty*, not when the last transfer is *done*. With one large file left the check is shown for minutes while the file is still going up. People close the laptop and the file is not there.

\`shell/status.rs\` looks at \`queue_len == 0\`. It should ask for \`queue_len + in_flight == 0\`, and wait for the commit answer.

Any platform, 4.4.0.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:shell'],
    author: 'noor-v',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 259,
    updatedDaysAgo: 257,
    comments: [
      {
        author: 'mlindqvist',
        body: 'The number of running transfers is not in the status message yet, so it is engine plus shell. Still small.',
        daysAgo: 257,
      },
    ],
    truth: {},
  },
  {
    number: 1450,
    title: 'Dark mode for the preferences window',
    body: `It is the only white window left on my desktop at night.`,
    type: 'feature',
    priority: 'low',
    labels: ['enhancement', 'area:shell', 'good first issue'],
    author: 'fjordfisk',
    assignees: ['noor-v'],
    state: 'closed',
    createdDaysAgo: 151,
    updatedDaysAgo: 41,
    comments: [
      { author: 'noor-v', body: 'Follows the system setting since 4.7.0.', daysAgo: 41 },
      { author: 'fjordfisk', body: 'Looks good, thanks.', daysAgo: 41 },
    ],
    truth: {},
  },
  {
    number: 1469,
    title: 'アップロード中なのに「最新の状態です」と表示される',
    body: `大きいファイル(2GB程度の動画)を1つ Skua フォルダーに入れると、アップロードがまだ終わっていないのに、トレイのアイコンが緑のチェックになり「最新の状態です」と表示されます。

再現手順
1. 2GB以上のファイルを1つだけコピーする
2. 数秒後にトレイのアイコンを見る
3. 緑のチェックが出るが、ブラウザーで確認するとファイルはまだない

このまま PC を閉じてしまい、取引先にファイルが届いていないことが二度ありました。転送が完了するまで青い矢印のままにしてください。

Windows 11 / Skua 4.5.2`,
    type: 'bug',
    priority: null,
    labels: ['bug', 'customer', 'area:shell'],
    author: 'yuki-t',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 132,
    updatedDaysAgo: 130,
    comments: [
      {
        author: 'lena-support',
        body: 'Translated: with one file of 2 GB or more the tray shows the green check and "Up to date" after a few seconds, the upload is still running. They lost two deliveries to a client because the PC was closed too early.',
        daysAgo: 130,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1341' },
  },
  {
    number: 1505,
    title: 'Show progress per file in the tray menu',
    body: `**Problem.** "Syncing 3,412 files" does not answer the one question people have: is my file through?

**Acceptance criteria**
- The tray menu lists up to five running transfers: name, direction, percent, remaining time if above 10 s.
- Below that one line: "and 3,407 more".
- Clicking a line opens the folder with the file selected.
- Refreshes twice a second, costs less than 1 % of a core.
- Works with a screen reader; percent is announced every 25 %.

**Out of scope.** A transfer window, changing the order, canceling single files.

**Approach.** The engine already publishes transfer events on the local socket, the shell aggregates them. Remaining time from the rate over the last 20 s.

**Depends on** nothing. **Estimate** 3 points.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:shell'],
    author: 'noor-v',
    assignees: ['noor-v'],
    state: 'opened',
    createdDaysAgo: 95,
    updatedDaysAgo: 50,
    comments: [
      { author: 'okonjo-qa', body: 'Please include a case with right-to-left file names.', daysAgo: 50 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 1533,
    title: 'One desktop notification per file when a colleague adds a folder',
    body: `A colleague dropped 500 pictures into our shared space. I got about 500 toasts, "Marta added IMG_0412.jpg" and so on, for six minutes, during a presentation.

Expected: one toast, "Marta added 500 files to Catalog", and none at all while the system is in presentation mode.

4.7.0 beta, Windows 11. In the notification center they pile up as well, clearing them takes some patience.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:shell'],
    author: 'jpereira',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 67,
    updatedDaysAgo: 62,
    comments: [
      {
        author: 'rkowalczyk',
        body: 'The grouping was lost with the new notification library, it is done by tag and we do not set one.',
        daysAgo: 62,
      },
    ],
    truth: { relatedTo: ['skua/web#637'] },
  },
  {
    number: 1562,
    title: '"Copy link" in the context menu of Explorer and Finder',
    body: `As somebody who lives in the file manager, I want to right-click a file, choose *Copy link*, and paste it into a chat, without opening the browser.

Details
- creates a view link with the default settings of the space, or copies the existing one
- a toast confirms: "Link copied. Anyone with the link can view." with the button *Change*, which opens the share dialog in the browser
- disabled with an explanation where the space forbids links

To create a link the client must be able to ask the server for one with its own token. The web app does it through an internal call that needs a browser session.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:shell'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 38,
    updatedDaysAgo: 27,
    comments: [
      { author: 'wendy-atelier', body: 'I would use this twenty times a day.', daysAgo: 35 },
      { author: 'hana-s', body: 'Finder extension and Nautilus are about two days each.', daysAgo: 27 },
    ],
    truth: { blockedBy: ['skua/web#689'] },
  },
  {
    number: 1588,
    title: 'Make the client look better',
    body: `The design is a bit old. Other tools look nicer.`,
    type: 'feature',
    priority: 'low',
    labels: ['area:shell'],
    author: 'carlosmdz',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 12,
    updatedDaysAgo: 12,
    comments: [],
    truth: { quality: 'vague' },
  },
  {
    number: 1596,
    title: '"Pause" in the tray menu does not stop transfers that are already running',
    body: `### What happens
After *Pause* the icon turns gray, but transfers that have started go on to the end. With a 6 GB file that is twenty minutes of full line.

### Steps to reproduce
1. Start uploading a large file.
2. Tray menu > Pause.
3. Watch the network.

### Expected
Running transfers stop after the current chunk (4 MB).

### Version
4.7.1, worked in 4.6.3. Windows 11, macOS 14`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:shell', 'regression'],
    author: 'okonjo-qa',
    assignees: ['mlindqvist'],
    state: 'opened',
    createdDaysAgo: 4,
    updatedDaysAgo: 2,
    comments: [
      {
        author: 'mlindqvist',
        body: 'My fault. The workers check the flag only when they take a new item. Will be in 4.7.2.',
        daysAgo: 2,
      },
    ],
    truth: {},
  },
];
