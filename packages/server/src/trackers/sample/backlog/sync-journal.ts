import type { SampleIssue } from './types.ts';

/** The journal: the local database in which the engine keeps its state. */
export const syncJournal: SampleIssue[] = [
  {
    number: 1227,
    title: 'Engine panics in journal::commit: database is locked (SQLITE_BUSY)',
    body: `\`\`\`
thread 'journal-writer' panicked at engine/src/journal/commit.rs:118:14:
called \`Result::unwrap()\` on an \`Err\` value: SqliteFailure(Error { code: DatabaseBusy, extended_code: 5 }, Some("database is locked"))
   0: rust_begin_unwind
   1: core::result::unwrap_failed
   2: skua_engine::journal::commit::commit_batch
   3: skua_engine::journal::writer::run
   4: std::thread::Builder::spawn_unchecked_
\`\`\`

Happens when something else holds \`journal.db\` for longer than the busy timeout of 5 s: a backup program, or our own shell reading the history list of a large account. 214 crash reports this week, 4.2.3.

At the least: no unwrap here, retry with back-off. Better: readers that do not block the writer.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'crash', 'area:journal'],
    author: 'mlindqvist',
    assignees: ['mlindqvist'],
    state: 'opened',
    createdDaysAgo: 374,
    updatedDaysAgo: 113,
    comments: [
      {
        author: 'mlindqvist',
        body: 'The retry is in since 4.3.0 and took reports down to about 20 a week. The rest needs the change of the journal mode.',
        daysAgo: 335,
      },
      { author: 'okonjo-qa', body: '17 last week, all with more than 500,000 files.', daysAgo: 113 },
    ],
    truth: {},
  },
  {
    number: 1293,
    title: 'Engine panics in journal::commit: database disk image is malformed',
    body: `\`\`\`
thread 'journal-writer' panicked at engine/src/journal/commit.rs:118:14:
called \`Result::unwrap()\` on an \`Err\` value: SqliteFailure(Error { code: DatabaseCorrupt, extended_code: 11 }, Some("database disk image is malformed"))
   0: rust_begin_unwind
   1: core::result::unwrap_failed
   2: skua_engine::journal::commit::commit_batch
   3: skua_engine::journal::writer::run
   4: std::thread::Builder::spawn_unchecked_
\`\`\`

Three machines, all of them after a power cut, all with the profile on a USB stick that ignores flush. The journal is really damaged (\`PRAGMA integrity_check\` lists missing pages).

We should detect it at start, move the file aside, rebuild from the server and keep local changes as conflict copies.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'crash', 'area:journal'],
    author: 'okonjo-qa',
    assignees: ['mlindqvist'],
    state: 'closed',
    createdDaysAgo: 308,
    updatedDaysAgo: 252,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Rebuild on corruption is in 4.4.0. It takes about a minute per 100,000 files, with a message in the tray.',
        daysAgo: 252,
      },
    ],
    truth: { relatedTo: ['skua/sync#1227'] },
  },
  {
    number: 1430,
    title: 'journal.db grows without limit',
    body: `The journal of our file server account has reached 9.4 GB. The account holds 210,000 files. The largest table is \`operation\`, with 61 million rows, most of them from last year and with status done.

Is anything supposed to delete these rows? Copying the database with VACUUM INTO gives 8.9 GB, so it is not free space, the rows are really there.

Skua 4.5.0, Windows Server 2022, running without a restart for 140 days.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:journal'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 170,
    updatedDaysAgo: 166,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Finished operations are removed at start only. For a process that runs for months that means never.',
        daysAgo: 166,
      },
    ],
    truth: {},
  },
  {
    number: 1431,
    title: 'journal.db grows without limit',
    body: `The journal of our file server account has reached 9.4 GB. The account holds 210,000 files. The largest table is \`operation\`, with 61 million rows, most of them from last year and with status done.

Is anything supposed to delete these rows? Copying the database with VACUUM INTO gives 8.9 GB, so it is not free space, the rows are really there.

Skua 4.5.0, Windows Server 2022, running without a restart for 140 days.`,
    type: 'bug',
    priority: null,
    labels: ['bug'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 170,
    updatedDaysAgo: 170,
    comments: [],
    truth: { duplicateOf: 'skua/sync#1430' },
  },
  {
    number: 1487,
    title: 'Move the journal to write-ahead logging',
    body: `## Goal
Readers (shell, status command, support tool) no longer block the engine's writes. That ends the "database is locked" crashes that remain.

## Acceptance criteria
- New and existing journals run with \`journal_mode=WAL\` and \`synchronous=NORMAL\`; the switch happens once at start and is logged.
- A reader that keeps a transaction open for 60 s does not delay a commit by more than 50 ms (new test).
- The log file stays below 64 MB under the load test.
- Profiles on network drives keep the old mode, since WAL needs shared memory.
- Downgrading to 4.6 works: mode is set back on a clean exit.

## Non-goals
Changing the schema or the busy timeout.

## Approach
One writer connection, a pool of four readers, checkpoint on idle and at 16 MB. Crash tests with a killed process, 1,000 rounds.

## Dependencies
None.

## Estimate
5 points`,
    type: 'task',
    priority: 'high',
    labels: ['area:journal', 'tech-debt'],
    author: 'mlindqvist',
    assignees: ['mlindqvist'],
    state: 'opened',
    createdDaysAgo: 114,
    updatedDaysAgo: 37,
    comments: [
      {
        author: 'hana-s',
        body: 'Detecting network drives on Linux: statfs magic for nfs, cifs, fuse. I have code for that.',
        daysAgo: 102,
      },
      { author: 'mlindqvist', body: 'Half done, waiting for a slot in 4.8.', daysAgo: 37 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 1511,
    title: 'Compact the journal in the background',
    body: `Blocked by #1487: with the rollback journal a compaction would lock everybody out for minutes.

Once WAL is there:
- delete finished operations older than 30 days, 5,000 rows per transaction, with a pause in between
- \`PRAGMA incremental_vacuum\` in small steps while the machine is idle
- do it every night, not only at start

That takes care of #1430. Target: the journal of the load account stays below 600 MB.`,
    type: 'task',
    priority: 'medium',
    labels: ['area:journal'],
    author: 'mlindqvist',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 89,
    updatedDaysAgo: 89,
    comments: [],
    truth: { blockedBy: ['skua/sync#1487'] },
  },
];
