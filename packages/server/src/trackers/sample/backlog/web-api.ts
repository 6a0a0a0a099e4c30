import type { SampleIssue } from './types.ts';

/** The public API as the clients use it. */
export const webApi: SampleIssue[] = [
  {
    number: 600,
    title: 'Rate limit headers are missing on 429 answers',
    body: `The documentation promises \`RateLimit-Remaining\` and \`Retry-After\`. On 429 we send neither, because the gateway answers before our middleware sees the request. Third-party clients then retry at once and make it worse.

Tested with the public API, 200 requests in 10 s.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:api'],
    author: 'fjordfisk',
    assignees: ['dmitri-k'],
    state: 'closed',
    createdDaysAgo: 381,
    updatedDaysAgo: 352,
    comments: [
      { author: 'dmitri-k', body: 'The gateway sets both now.', daysAgo: 353 },
      { author: 'fjordfisk', body: 'Confirmed, thanks.', daysAgo: 352 },
    ],
    truth: {},
  },
  {
    number: 683,
    title: 'Batch endpoint for small files: POST /v2/files:batch',
    body: `## Goal
A client can create or update up to 100 small files in one request.

## Acceptance criteria
- [ ] Multipart or JSON with base64, at most 100 items and 1 MB in total; 413 above.
- [ ] One result per item, in the order of the request: revision, or code and sentence. The request is 200 even when single items fail.
- [ ] Idempotent by client revision; sending a batch again changes nothing.
- [ ] Quota is checked for the sum before anything is written.
- [ ] 100 items of 4 KB in under 150 ms (p95) on staging.
- [ ] Change feed: one event per item, in order.

## Out of scope
Deleting and moving in batches; batched reads.

## Approach
One transaction for the metadata, objects are written first; orphans are swept as for single uploads.

## Dependencies
None.

## Estimate
8 points`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:api', 'performance'],
    author: 'dmitri-k',
    assignees: ['dmitri-k'],
    state: 'opened',
    createdDaysAgo: 268,
    updatedDaysAgo: 16,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Order within a folder matters to us: create, then rename.',
        daysAgo: 247,
      },
      { author: 'dmitri-k', body: 'Kept. On staging behind a flag, 118 ms at the moment.', daysAgo: 16 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 725,
    title: 'Chunk manifest for a byte range, without the data',
    body: `\`GET /v2/files/{id}/manifest?revision=&from=&to=\` answers the digests, sizes and offsets of the chunks that cover the range. Today the manifest comes as trailer of the download only.

- JSON, or a compact binary form (40 bytes per chunk) by \`Accept\`
- at most 10,000 chunks per answer, then a cursor
- may be cached forever, a revision does not change
- same rights as reading the file

A 40 GB file has about 10,000 chunks of 4 MB, so 400 KB in the binary form. Storage already keeps all of this, it is a matter of exposing it.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:api'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 211,
    updatedDaysAgo: 208,
    comments: [
      {
        author: 'jpereira',
        body: 'Signed addresses for the chunks themselves exist since last year, so that would be complete.',
        daysAgo: 208,
      },
    ],
    truth: {},
  },
];
