import type { SampleIssue } from './types.ts';

/** How much network and battery the client may use. */
export const syncTransferLimits: SampleIssue[] = [
  {
    number: 1290,
    title: 'Let users cap the upload rate',
    body: `## Goal
People on thin lines can keep Skua running during calls. Today they pause it and forget to resume (18 support tickets last quarter).

## Acceptance criteria
- [x] Preferences > Network has "Limit upload to [ ] KB/s", off by default, 50 as the lowest value.
- [x] The measured rate over any 10 s stays within 10 % of the limit.
- [x] A change takes effect within 2 s, without restarting running uploads.
- [x] The limit is part of the settings that an administrator can preset.

## Out of scope
Download limits, schedules, limits per network.

## Approach
Token bucket in front of the chunk sender, shared by all workers. Refill every 100 ms. No change to the protocol.

## Estimate
5 points. No dependencies.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:upload'],
    author: 'pvarga',
    assignees: ['mlindqvist'],
    state: 'closed',
    createdDaysAgo: 311,
    updatedDaysAgo: 191,
    comments: [
      {
        author: 'lena-support',
        body: 'Three customers offered to test this before release.',
        daysAgo: 280,
      },
      {
        author: 'mlindqvist',
        body: 'Shipped in 4.5.0. Measured 7 % over the limit in the worst window.',
        daysAgo: 191,
      },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 1457,
    title: 'Pause sync on metered connections',
    body: `As a field engineer who works over a phone hotspot, I want Skua to stop transferring while the connection is metered, so that my data plan survives the week.

- ask the system whether the connection is metered (Windows and Linux tell us; on macOS use Low Data Mode)
- show "Paused: metered connection" in the tray menu, with "Sync anyway"
- on by default for new installs, off for existing ones

Small text files could still go through, but let us not start with exceptions.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:shell'],
    author: 'pvarga',
    assignees: ['hana-s'],
    state: 'closed',
    createdDaysAgo: 143,
    updatedDaysAgo: 109,
    comments: [{ author: 'hana-s', body: 'Done for 4.6.0 on all three platforms.', daysAgo: 109 }],
    truth: {},
  },
  {
    number: 1466,
    title: 'Upload rate limit has no effect on many small files',
    body: `Follow-up to #1290. The limit is set to 200 KB/s. With one large file the rate is right. With a folder of 9,000 files of about 4 KB the line is full: 1.1 MB/s up for several minutes.

Reason: files below 64 KB are sent inline in the commit call and never pass the token bucket.

Version 4.5.2, all platforms. To see it, copy the icons folder of any design system into the sync folder and watch the network graph.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:upload'],
    author: 'okonjo-qa',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 135,
    updatedDaysAgo: 133,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Right, the bucket has to sit below the HTTP client and count bytes there, not in the chunk sender.',
        daysAgo: 133,
      },
    ],
    truth: { relatedTo: ['skua/sync#1290'] },
  },
  {
    number: 1480,
    title: 'Battery',
    body: `Skua uses a lot of battery on my laptop. Please optimize.`,
    type: 'bug',
    priority: 'low',
    labels: ['needs-info'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 121,
    updatedDaysAgo: 118,
    comments: [
      {
        author: 'hana-s',
        body: 'Which system, and does it also happen when nothing changes in the folder?',
        daysAgo: 118,
      },
    ],
    truth: { quality: 'vague' },
  },
  {
    number: 1520,
    title: 'Pause sync on battery saver',
    body: `**As a** consultant on long train rides **I want** Skua to stand still while battery saver is on **so that** the battery lasts until I arrive.

**Acceptance criteria**
1. Given battery saver turns on, when a transfer is running, then the current chunk is finished and nothing new starts within 5 s.
2. Given battery saver turns off or power is plugged in, then sync resumes within 5 s.
3. The tray menu says "Paused: battery saver" and offers "Sync anyway", which holds until the next change of power state.
4. Preferences > Power has a switch, on by default.

**Not in scope:** a threshold in percent, reducing the rate instead of pausing.

**Approach:** the pause reasons introduced for metered connections become a set, so that two reasons can hold at once. Power state comes from the system on Windows, macOS and Linux (upower).

**Size:** 3 points. No open dependencies.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:shell'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 80,
    updatedDaysAgo: 71,
    comments: [
      {
        author: 'hana-s',
        body: 'What should happen with a manual pause while battery saver is on?',
        daysAgo: 74,
      },
      {
        author: 'pvarga',
        body: 'Manual pause wins and stays until the user resumes. Added to the test plan.',
        daysAgo: 71,
      },
    ],
    truth: { relatedTo: ['skua/sync#1457'], quality: 'ready' },
  },
  {
    number: 1552,
    title: 'Send small files in batches',
    body: `## Goal
Uploading 10,000 files of 4 KB takes 21 minutes on a 50 ms line because every file is one round trip. Target: under 3 minutes.

## Acceptance criteria
- [ ] Files of up to 64 KB are grouped, at most 100 files or 1 MB per request.
- [ ] One rejected file does not fail the other files of its batch.
- [ ] The order of create and rename within a folder is kept.
- [ ] \`bench/small-files\` reports under 3 minutes at 50 ms.
- [ ] Servers without the endpoint are detected once per session; the client falls back silently.

## Non-goals
Batching downloads; compressing the batch.

## Approach
A batcher between queue and sender that flushes on size or after 200 ms. Needs skua/web#683 for the endpoint.

## Risks
A crash between sending and recording the answer: commits are idempotent by client revision, so replaying the batch is safe.

## Estimate
8 points`,
    type: 'task',
    priority: 'high',
    labels: ['enhancement', 'performance', 'area:upload'],
    author: 'mlindqvist',
    assignees: ['mlindqvist'],
    state: 'opened',
    createdDaysAgo: 48,
    updatedDaysAgo: 20,
    comments: [
      {
        author: 'dmitri-k',
        body: 'The endpoint answers per item, in the order of the request. Draft of the schema is on staging.',
        daysAgo: 20,
      },
    ],
    truth: { blockedBy: ['skua/web#683'], quality: 'ready' },
  },
];
