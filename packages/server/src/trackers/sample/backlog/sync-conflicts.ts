import type { SampleIssue } from './types.ts';

/** Two versions of one file: detecting, naming, showing and resolving conflicts. */
export const syncConflicts: SampleIssue[] = [
  {
    number: 1231,
    title: 'Conflict copy is created although only one computer edited the file',
    body: `### What happens
Saving twice within a few seconds creates "notes (conflict, okonjo-laptop).md". No other device is online.

### Steps to reproduce
1. Open a file in an editor that saves by writing a temporary file and renaming it.
2. Save. Within 3 seconds change something and save again.
3. Repeat ten times. On average I get two conflict copies.

### Expected
Both saves are uploaded one after the other.

### Notes
The second upload still names the revision from before the first one as its parent. It seems the answer of the first commit is not stored before the rename event is handled.

4.2.4, Windows, macOS and Linux`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'area:conflicts'],
    author: 'okonjo-qa',
    assignees: ['mlindqvist'],
    state: 'opened',
    createdDaysAgo: 370,
    updatedDaysAgo: 96,
    comments: [
      {
        author: 'mlindqvist',
        body: `Confirmed. The rename creates a new journal row, and the pending commit still points at the old row. When the answer arrives, the row it wants to update is gone.`,
        daysAgo: 368,
      },
      {
        author: 'lena-support',
        body: 'This is the most frequent complaint in support this month.',
        daysAgo: 341,
      },
      {
        author: 'mlindqvist',
        body: `What I have tried so far:

1. Holding back rename events while a commit is pending. Works, but a slow line then delays every rename in that folder by seconds.
2. Following the row: when a rename replaces a file whose commit is pending, the new row inherits the pending commit. Right in theory. It breaks when the editor deletes the old file first and renames second, because for a moment there is no row to inherit from.
3. Waiting 500 ms after a delete to see whether a rename follows. Covers 2 on a local disk, not on slow ones.

I think 2 plus 3 with a longer wait on network drives is the way. Editors I have tested with: eleven, of which eight rename over the old file and three delete first.`,
        daysAgo: 298,
      },
      {
        author: 'mlindqvist',
        body: 'A first fix in 4.4.1 made it rarer. The race is still possible when the line is slow.',
        daysAgo: 230,
      },
      { author: 'okonjo-qa', body: 'Script for fifty saves is in `qa/double-save`.', daysAgo: 228 },
      { author: 'okonjo-qa', body: '4.6.1: three copies in fifty saves at 300 ms latency.', daysAgo: 96 },
    ],
    truth: {},
  },
  {
    number: 1322,
    title: 'I am in conflict with myself',
    body: `I am the only person in my account and I work on one PC. Still I find files like "Quote Miller (conflict, FRONTDESK).xlsx" in my folder, five of them since Monday. FRONTDESK is this very PC.

I press save often, out of habit, sometimes twice in a row. The spreadsheet program makes one of those ~ files for a moment while saving, maybe that has something to do with it?

Which of the two is the good one? So far it was always the copy that had my latest numbers.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'customer', 'area:conflicts'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 279,
    updatedDaysAgo: 275,
    comments: [
      {
        author: 'lena-support',
        body: 'Keep both until we know more, please. Which version do you have? You find it in the tray menu under About.',
        daysAgo: 277,
      },
      { author: 'wendy-atelier', body: 'It says 4.3.2.', daysAgo: 275 },
    ],
    truth: { duplicateOf: 'skua/sync#1231' },
  },
  {
    number: 1412,
    title: 'Name conflict copies with device and date',
    body: `"report (conflict).docx", "report (conflict 2).docx" tells nobody anything. Please name them

\`report (conflict, Reception PC, 2024-03-18 14.05).docx\`

Device name as in the account's device list, local time, dot instead of colon because of Windows. Existing copies keep their names.`,
    type: 'feature',
    priority: 'low',
    labels: ['enhancement', 'area:conflicts', 'good first issue'],
    author: 'samir-ops',
    assignees: ['rkowalczyk'],
    state: 'closed',
    createdDaysAgo: 189,
    updatedDaysAgo: 111,
    comments: [
      {
        author: 'rkowalczyk',
        body: 'The device name has been in there for a while, I added the date. In 4.6.0.',
        daysAgo: 111,
      },
    ],
    truth: {},
  },
  {
    number: 1489,
    title: 'Expose unresolved conflicts through the local API',
    body: `## Goal
Anything outside the engine (shell, command line, support tool) can list conflicts and resolve them without knowing how copies are named.

## Acceptance criteria
- \`GET /conflicts\` on the local socket lists: original path, copy path, both revisions, both devices, both times, size.
- \`POST /conflicts/{id}/resolve\` takes \`keep: original | copy | both\` and answers 409 when one side has changed since.
- The same list is reported to the account service with every heartbeat (at most 200 entries).
- Conflicts from before the upgrade are found by a one-time scan.
- Contract tests for each call.

## Out of scope
Any interface. Merging contents.

## Approach
New table \`conflict\` in the journal, filled where the copy is created. Resolution goes through the normal operation queue, so it can be undone from the version history.

## Estimate
5 points, no dependencies.`,
    type: 'task',
    priority: 'high',
    labels: ['area:conflicts', 'area:engine'],
    author: 'mlindqvist',
    assignees: ['mlindqvist'],
    state: 'opened',
    createdDaysAgo: 111,
    updatedDaysAgo: 36,
    comments: [
      {
        author: 'noor-v',
        body: 'Could the heartbeat carry the file id besides the path? Paths differ between devices with selective sync.',
        daysAgo: 54,
      },
      { author: 'mlindqvist', body: 'Yes, both.', daysAgo: 36 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 1526,
    title: 'Side-by-side view for conflicting text files',
    body: `As an author who works on two computers I want to see my two versions next to each other and choose line by line, so that I do not have to open both in an editor and compare with my finger on the screen.

- opens from the tray menu ("2 conflicts") and from the context menu of a conflict copy
- text files up to 1 MB: .txt, .md, .csv, source code
- for other files only name, size, time and device of both, and *Keep this one*
- the result replaces the original, the copy goes to the trash

The window needs a list of what is in conflict and a way to tell the engine the decision. At the moment the shell guesses conflicts from file names.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:conflicts', 'area:shell'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 74,
    updatedDaysAgo: 65,
    comments: [
      {
        author: 'hana-s',
        body: 'On macOS I would reuse the diff view we have in the log window.',
        daysAgo: 65,
      },
    ],
    truth: { blockedBy: ['skua/sync#1489'] },
  },
  {
    number: 1560,
    title: 'Conflicts are confusing',
    body: `Users do not understand them. We should do something about it.`,
    type: 'feature',
    priority: null,
    labels: ['area:conflicts'],
    author: 'noor-v',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 40,
    updatedDaysAgo: 40,
    comments: [],
    truth: { quality: 'vague' },
  },
];
