import type { SampleIssue } from './types.ts';

/** Downloading files: stalls, disk space, the first sync of a large account. */
export const syncDownload: SampleIssue[] = [
  {
    number: 1222,
    title: 'Downloads stall at 99 % and never finish',
    body: `The last file of a download stays at 99 % until the client is restarted.

From the trace: all chunks are on disk, the final rename from \`.skua-part\` to the real name fails because the target is open in another program, and nobody schedules a retry.

\`\`\`
download: 3301/3301 chunks, finalizing "Budget.xlsx"
download: rename failed: The process cannot access the file because it is being used by another process. (os error 32)
download: state=Finalizing (since 14:02:11)
\`\`\`

Seen on Windows only, 4.2.3 and later. Fix: put the item back with a delay and tell the user which file is in use.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:download', 'platform:windows'],
    author: 'rkowalczyk',
    assignees: ['rkowalczyk'],
    state: 'opened',
    createdDaysAgo: 378,
    updatedDaysAgo: 205,
    comments: [
      {
        author: 'okonjo-qa',
        body: 'Easy to reproduce: open the file in a spreadsheet program, change it on another machine, wait.',
        daysAgo: 377,
      },
      {
        author: 'rkowalczyk',
        body: 'Moved out of 4.4 and 4.5, sorry. Nobody is working on it at the moment.',
        daysAgo: 205,
      },
    ],
    truth: {},
  },
  {
    number: 1260,
    title: 'Does the client verify what it downloads?',
    body: `Our auditor asks whether a file that arrives on the PC is checked against what was uploaded, and with which method. I found nothing about it in the manual.

Also: is the check repeated later, when the file has been on the disk for years?`,
    type: 'question',
    priority: 'low',
    labels: ['question', 'area:download'],
    author: 'samir-ops',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 341,
    updatedDaysAgo: 337,
    comments: [
      {
        author: 'mlindqvist',
        body: `Yes. Every file consists of chunks of up to 4 MB, each with a BLAKE3 digest that is calculated before the upload. The client calculates the digests again over what it has received and refuses the file when one differs (error 4012), then asks for that chunk once more.

There is no later check of files at rest. Your file system or backup would be the place for that.`,
        daysAgo: 340,
      },
      { author: 'samir-ops', body: 'That is all we need, thank you.', daysAgo: 337 },
    ],
    truth: {},
  },
  {
    number: 1315,
    title: 'Client shows "1 file left" for days',
    body: `Our whole accounting department has this. The icon keeps turning and the window says *Finishing, 1 file left*. It stays like that over the weekend. After "Quit Skua" and starting it again the file is there at once.

It is always a file that somebody in the department has open all day (the cash book). All PCs run Windows 10 and 4.3.1.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 286,
    updatedDaysAgo: 281,
    comments: [
      {
        author: 'lena-support',
        body: 'Does it finish when that person closes the file, without a restart?',
        daysAgo: 283,
      },
      { author: 'samir-ops', body: 'No. Only the restart helps.', daysAgo: 281 },
    ],
    truth: { duplicateOf: 'skua/sync#1222' },
  },
  {
    number: 1361,
    title: 'First sync of 400,000 files takes 19 hours',
    body: `Measured with the load account (412,880 files, 61 GB, mostly source trees) on a 1 Gbit line:

| phase | time |
|---|---|
| listing | 0:41 |
| journal inserts | 6:12 |
| download | 11:48 |
| final check | 0:22 |

Journal inserts are one transaction per file. In batches of 500 the phase takes 9 minutes on the same machine. The download phase is bound by round trips for small files, that is a separate matter.

This issue is about the inserts only.`,
    type: 'bug',
    priority: 'high',
    labels: ['performance', 'area:download', 'area:journal'],
    author: 'mlindqvist',
    assignees: ['mlindqvist'],
    state: 'closed',
    createdDaysAgo: 240,
    updatedDaysAgo: 193,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Batched inserts merged for 4.5.0. Whole first sync is now 12.5 hours on the load account.',
        daysAgo: 193,
      },
    ],
    truth: {},
  },
  {
    number: 1405,
    title: 'Check free disk space before a download starts',
    body: `When somebody checks a large folder in selective sync, we start downloading and fail when the disk is full. By then other programs are failing too.

Please compare the size of what is to be downloaded with the free space, keep 2 GB as a reserve, and say so before anything is written: "This folder needs 84 GB, 31 GB are free." with the buttons *Choose less* and *Cancel*.

The server already sends the total size of a folder.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:download'],
    author: 'noor-v',
    assignees: ['hana-s'],
    state: 'closed',
    createdDaysAgo: 196,
    updatedDaysAgo: 112,
    comments: [{ author: 'hana-s', body: 'In 4.6.0, with the texts as proposed.', daysAgo: 112 }],
    truth: {},
  },
  {
    number: 1502,
    title: 'ERR_CHUNK_DIGEST (4012) on download after restoring an old version',
    body: `After a file was restored to a version older than 90 days in the web app, every desktop client fails to download it:

\`\`\`
ERROR download: contracts/2022/frame.pdf chunk 0: ERR_CHUNK_DIGEST (4012)
      manifest blake3:77e0..., received blake3:c91b...
\`\`\`

The bytes are good, they open fine when I fetch them by hand. The manifest of the restored version carries the digests of the version that was replaced. So the client is right to refuse.

Uploads are not affected. All platforms, 4.6.1. Needs a fix on the server plus a repair of the manifests that are already wrong (about 300 by a quick count).`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:download'],
    author: 'dmitri-k',
    assignees: ['dmitri-k'],
    state: 'opened',
    createdDaysAgo: 98,
    updatedDaysAgo: 81,
    comments: [
      {
        author: 'dmitri-k',
        body: 'Restore copies the row and forgets `manifest_id`. Fix is in review, the repair job still has to be written.',
        daysAgo: 81,
      },
    ],
    truth: { relatedTo: ['skua/sync#1236'] },
  },
  {
    number: 1513,
    title: 'Sync is slow sometimes',
    body: `Sometimes it is fast and sometimes it takes very long. I have good internet.`,
    type: 'bug',
    priority: null,
    labels: ['needs-info'],
    author: 'carlosmdz',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 87,
    updatedDaysAgo: 87,
    comments: [],
    truth: { quality: 'vague' },
  },
  {
    number: 1537,
    title: 'Disk full during sync leaves .skua-part files behind',
    body: `If the disk fills up while a download is running (another program writes at the same time), the client stops with "No space left" as it should. It does not remove the partial files. On the test machine that was 38 GB in \`.skua/parts\`, so the disk stays full and the user cannot see why.

After freeing space the client starts over and ignores the old parts instead of using them.

Expected: parts are either continued or deleted, and counted in Preferences > Storage. 4.7.0-beta2, Linux and Windows.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:download'],
    author: 'okonjo-qa',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 63,
    updatedDaysAgo: 63,
    comments: [],
    truth: {},
  },
  {
    number: 1558,
    title: 'Fetch only the changed ranges of large files',
    body: `When 2 MB of a 40 GB disk image change, every other client downloads 40 GB. We upload only the changed chunks since 4.0, so the download side is what hurts.

Idea: before downloading, ask the server for the chunk digests of the new version, compare them with the chunks of the local file, fetch what is missing and assemble the file from both. For this the server has to hand out digests for a byte range without sending the data; today the manifest only comes with the download itself.

Numbers from the disk image customer: 6.1 TB downloaded last month, of which 2 % had really changed.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'performance', 'area:download'],
    author: 'mlindqvist',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 42,
    updatedDaysAgo: 30,
    comments: [
      {
        author: 'rkowalczyk',
        body: `Two things to keep in mind on Windows:

- We must not assemble in place. A crash in the middle would leave a file that is neither old nor new. So the free space has to be enough for a second copy, or we clone blocks where the file system can (ReFS, APFS, Btrfs).
- Programs that keep the file open (virtual machines do) prevent the final rename. That has to fail early, before 800 MB have been fetched.`,
        daysAgo: 39,
      },
      {
        author: 'mlindqvist',
        body: 'Cloning first, copy as the fallback. For open files I would check once before the start and once before the rename.',
        daysAgo: 38,
      },
      {
        author: 'pvarga',
        body: 'Wanted by at least four customers with virtual machines or large databases.',
        daysAgo: 30,
      },
    ],
    truth: { blockedBy: ['skua/web#725'] },
  },
];
