import type { SampleIssue } from './types.ts';

/** Search, keyboard, accessibility and the pages around the file list. */
export const webInterface: SampleIssue[] = [
  {
    number: 784,
    title: 'Screen reader announces "blank" for every row of the file list',
    body: `With a screen reader the rows of the file list are read as "blank, blank, button, button". The name is drawn inside the virtualized row with \`aria-hidden\` on the wrapper, left over from the drag preview.

Expected: "Budget 2024, spreadsheet, changed yesterday, shared, row 3 of 120".

Also
- the sort order of a column is not announced
- after deleting a file the focus goes to the top of the page

Checked with two screen readers on Windows and the one in macOS. Blocks an offer to a public authority, they test with the European norm.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'a11y', 'area:ui'],
    author: 'noor-v',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 131,
    updatedDaysAgo: 83,
    comments: [
      {
        author: 'pvarga',
        body: 'The authority decides in spring, so this should be in by then.',
        daysAgo: 83,
      },
    ],
    truth: {},
  },
  {
    number: 790,
    title: 'Keyboard shortcuts for the file list',
    body: `**Goal.** Somebody who files 200 documents a day never has to reach for the mouse.

**Acceptance criteria**
- Arrow keys move, Shift extends, Ctrl/Cmd+A selects all loaded rows.
- Enter opens, F2 renames, Delete moves to the trash after a confirmation, Ctrl/Cmd+X and V move between folders.
- \`/\` focuses the search field, \`?\` shows all shortcuts.
- None of them fires while a text field has the focus or a dialog is open.
- The focused row is visible in both color schemes (contrast at least 3:1).
- Playwright test for each shortcut.

**Out of scope.** Custom shortcuts; the preview page.

**Approach.** One \`useShortcuts\` hook with a table of keys, roving tabindex on the rows.

**Dependencies:** none. **Estimate:** 3 points.`,
    type: 'feature',
    priority: 'low',
    labels: ['enhancement', 'area:ui', 'a11y'],
    author: 'noor-v',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 123,
    updatedDaysAgo: 117,
    comments: [
      {
        author: 'fjordfisk',
        body: 'Please leave Ctrl+F to the browser.',
        daysAgo: 120,
      },
      { author: 'noor-v', body: 'We will not touch it.', daysAgo: 117 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 811,
    title: 'Full-text search in documents',
    body: `As an office manager I remember a sentence from a contract, not the name of the file. I want to type the sentence and get the contract, so that I do not open thirty files.

- finds words inside PDF, office and text files, in addition to names
- shows the place with the words marked, and the page number for PDFs
- results only from what I may see
- new files can be found within five minutes
- German, English and Japanese at the start

For this the words of every document have to be available somewhere; opening the files at search time is out of the question.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:search'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 95,
    updatedDaysAgo: 52,
    comments: [
      { author: 'yuki-t', body: '日本語の検索もぜひお願いします。', daysAgo: 80 },
      { author: 'jpereira', body: 'Index size would be roughly a third of the plain text.', daysAgo: 52 },
    ],
    truth: { blockedBy: ['skua/web#752'] },
  },
  {
    number: 846,
    title: 'Improve performance of the dashboard',
    body: `The dashboard feels sluggish, improve it.`,
    type: 'task',
    priority: null,
    labels: ['performance', 'area:ui'],
    author: 'jpereira',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 47,
    updatedDaysAgo: 44,
    comments: [
      {
        author: 'noor-v',
        body: 'Nothing I can act on. I have added timings to the dashboard, let us open one issue for what they show.',
        daysAgo: 44,
      },
    ],
    truth: { quality: 'vague' },
  },
  {
    number: 864,
    title: 'Show unresolved conflicts in the web app',
    body: `Many people never look at the tray icon. Owners of a space ask us why there are "(conflict, ...)" files in it and what to do with them.

Add a page *Conflicts* to each space: the two versions with time and device, preview of both, buttons *Keep this one* for each and *Keep both*. A badge with the number in the sidebar.

For now the web app knows nothing of conflicts, they are files like any other; it would need the clients to report what they consider a conflict.

Sketch: [conflicts page](https://design.skua.example/conflicts-v1)`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:ui'],
    author: 'noor-v',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 22,
    updatedDaysAgo: 18,
    comments: [
      {
        author: 'lena-support',
        body: 'This would save us a canned answer we send five times a day.',
        daysAgo: 18,
      },
    ],
    truth: { blockedBy: ['skua/sync#1489'] },
  },
  {
    number: 866,
    title: 'Update dependencies',
    body: `Some are outdated.`,
    type: 'task',
    priority: 'low',
    labels: ['tech-debt'],
    author: 'dmitri-k',
    assignees: ['dmitri-k'],
    state: 'closed',
    createdDaysAgo: 19,
    updatedDaysAgo: 6,
    comments: [],
    truth: { quality: 'vague' },
  },
  {
    number: 875,
    title: 'Mobile layout',
    body: `Doesn't look right on my phone.`,
    type: 'bug',
    priority: null,
    labels: ['area:ui'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 7,
    updatedDaysAgo: 7,
    comments: [],
    truth: { quality: 'vague' },
  },
];
