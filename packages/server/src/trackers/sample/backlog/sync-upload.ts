import type { SampleIssue } from './types.ts';

/** Uploading files: resuming, chunk digests, speed. */
export const syncUpload: SampleIssue[] = [
  {
    number: 1209,
    title: 'Large uploads restart from zero after the laptop sleeps',
    body: `### What happens
An upload that is interrupted by sleep does not resume. The progress goes back to 0 % and every chunk is sent again.

### Steps to reproduce
1. Put a file of at least 5 GB into the Skua folder.
2. Wait until the upload is at about 40 %.
3. Close the lid for ten minutes, open it again.

### Expected
The upload continues with the first chunk the server does not have yet.

### Log
\`\`\`
10:41:07 INFO  upload: session 8f3c resumed after suspend
10:41:08 WARN  upload: GET /v2/uploads/8f3c -> 410 Gone
10:41:08 INFO  upload: new session 91aa, 0 of 1284 chunks present
\`\`\`

### Version
4.2.3, macOS 13.6 and Windows 11`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:upload', 'customer'],
    author: 'okonjo-qa',
    assignees: ['mlindqvist'],
    state: 'opened',
    createdDaysAgo: 392,
    updatedDaysAgo: 58,
    comments: [
      {
        author: 'mlindqvist',
        body: `The upload session expires on the server after five minutes without a chunk. Two options: ask for a longer lifetime, or let a new session adopt the chunks of the expired one. The second also helps when the client is restarted.`,
        daysAgo: 390,
      },
      {
        author: 'dmitri-k',
        body: `Chunks stay in the store for 24 hours after the session is gone, so adopting is cheap on our side. The client would have to send the digest list when it opens the new session.`,
        daysAgo: 388,
      },
      { author: 'okonjo-qa', body: 'Still there in 4.6.1.', daysAgo: 58 },
    ],
    truth: {},
  },
  {
    number: 1236,
    title: 'ERR_CHUNK_DIGEST (4012) when uploading from a mapped network drive',
    body: `Sync folder is on a mapped drive (\`Z:\\skua\`, SMB share on the office file server). Files that were just written by another computer fail with

\`\`\`
ERROR upload: Z:\\skua\\plans\\B-204.dwg chunk 17: ERR_CHUNK_DIGEST (4012)
      expected blake3:5d1c..., server computed blake3:a077...
\`\`\`

The engine retries three times, then the file stays in the queue with a red mark. After an hour or so it goes through. I think the first read (hashing) and the second read (sending) see different content, because the share answers the first one from its cache.

Windows 11, Skua 4.2.4. Never seen with a local folder.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:upload', 'platform:windows'],
    author: 'rkowalczyk',
    assignees: ['rkowalczyk'],
    state: 'opened',
    createdDaysAgo: 364,
    updatedDaysAgo: 171,
    comments: [
      {
        author: 'mlindqvist',
        body: `Hashing and sending from the same read would make the mismatch impossible. Costs us one chunk of memory per worker, which is fine.`,
        daysAgo: 361,
      },
    ],
    truth: {},
  },
  {
    number: 1347,
    title: '12 GB video begins again at 0 % whenever I shut the lid',
    body: `From a customer (film production, 14 seats), forwarded as received:

> Every evening I pack my MacBook and take the train. Every evening the upload of the day's footage starts over. Yesterday it was at 11 of 12 GB. At home our line does 10 Mbit, so it never gets finished and my editor has been waiting for three days now. Please tell me there is a trick.

Client 4.4.0. I asked for the log, will attach it. The customer has two tickets about this and is thinking about carrying disks again.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'customer', 'area:upload'],
    author: 'lena-support',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 253,
    updatedDaysAgo: 240,
    comments: [
      {
        author: 'lena-support',
        body: `Log is here. The relevant lines are \`410 Gone\` right after wake-up, then a new session. Workaround I gave them: keep the machine awake over night with the energy settings.`,
        daysAgo: 250,
      },
      {
        author: 'lena-support',
        body: 'They asked again when this will be fixed. I said I do not know.',
        daysAgo: 240,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1209' },
  },
  {
    number: 1388,
    title: 'large upload should continue where it stopped after sleep',
    body: `not from the beginning again after standby`,
    type: 'bug',
    priority: null,
    labels: ['area:upload'],
    author: 'carlosmdz',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 212,
    updatedDaysAgo: 212,
    comments: [],
    truth: { duplicateOf: 'skua/sync#1209', quality: 'vague' },
  },
  {
    number: 1419,
    title: 'ERR_CHUNK_DIGEST (4012) when uploading from a CIFS mount on Linux',
    body: `My sync folder lives on a NAS, mounted with \`cifs\` (vers=3.1.1, cache=strict). Files saved by a second machine on the NAS get stuck:

\`\`\`
upload: /mnt/nas/skua/scans/0412.tif chunk 3: ERR_CHUNK_DIGEST (4012)
upload: giving up after 3 attempts, next try in 3600 s
\`\`\`

With \`cache=none\` it does not happen, but then everything else is awfully slow. Looks like the client hashes the file, then reads it a second time for sending, and the mount hands out stale pages for one of the two.

Debian 12, skua-desktop 4.5.0, kernel 6.1.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:upload', 'platform:linux'],
    author: 'fjordfisk',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 182,
    updatedDaysAgo: 176,
    comments: [
      {
        author: 'hana-s',
        body: 'Can you run with `--log=upload:trace` and send the two read timestamps of one failing chunk?',
        daysAgo: 180,
      },
      {
        author: 'fjordfisk',
        body: 'Sent by mail. 1.9 seconds between the two reads.',
        daysAgo: 176,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1236' },
  },
  {
    number: 1571,
    title: 'Uploads too slow',
    body: `A customer says that uploading takes too long compared to before. Could somebody have a look?`,
    type: 'bug',
    priority: null,
    labels: ['performance', 'needs-info'],
    author: 'lena-support',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 29,
    updatedDaysAgo: 28,
    comments: [
      { author: 'mlindqvist', body: 'Which version, how many files, what size, which line?', daysAgo: 28 },
    ],
    truth: { quality: 'vague' },
  },
];
