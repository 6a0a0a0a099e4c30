import type { SampleIssue } from './types.ts';

/** Previews and thumbnails. */
export const webPreviews: SampleIssue[] = [
  {
    number: 609,
    title: 'Scanned PDFs are shown sideways',
    body: `Our scanner writes landscape pages with a rotation mark, every PDF reader turns them the right way round. In the Skua preview they lie on their side, so all invoices from 2023 have to be read with the head tilted.

Downloaded files are fine. Does the preview ignore the mark? Example attached to ticket, 3 pages, page 2 is the one with the mark.

Any browser.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:previews', 'customer'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 369,
    updatedDaysAgo: 360,
    comments: [
      { author: 'jpereira', body: 'Reproduced with the example. `/Rotate 90` on page 2.', daysAgo: 360 },
    ],
    truth: {},
  },
  {
    number: 633,
    title: 'HEIC photos show a gray box instead of a preview',
    body: `Photos from newer phones (\`.heic\`) have no preview, only the gray box with the file type.

The decoder library in the preview image was built without HEVC support. The worker logs

\`\`\`
preview: IMG_2231.heic: unsupported codec 'hvc1' (decoder plugins: aom)
\`\`\`

About 6 % of all pictures uploaded this month.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:previews'],
    author: 'jpereira',
    assignees: ['jpereira'],
    state: 'closed',
    createdDaysAgo: 336,
    updatedDaysAgo: 314,
    comments: [
      {
        author: 'jpereira',
        body: 'New base image with the decoder is live, previews of the last 60 days are being made again.',
        daysAgo: 314,
      },
    ],
    truth: {},
  },
  {
    number: 668,
    title: 'Thumbnail endpoint: GET /v2/files/{id}/thumbnail?size=',
    body: `## Goal
Clients get small pictures without loading the full preview.

## Acceptance criteria
- [ ] Sizes 96, 256, 1024 (longest side), WebP, JPEG if the client does not accept WebP.
- [ ] p95 below 80 ms when it exists; otherwise 202 with \`Retry-After\` and it is made within 5 s.
- [ ] \`ETag\` from file revision and size; 304 answered without touching storage.
- [ ] Same rights as the file itself; works with access tokens.
- [ ] 404 with code \`no_thumbnail\` for types that have none.

## Out of scope
Video, documents with more than the first page, animated pictures.

## Approach
Made by the preview worker next to the preview and stored under the same key. A backfill for files of the last 12 months runs at low priority.

## Estimate
5 points, no dependencies`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:previews', 'area:api'],
    author: 'jpereira',
    assignees: ['jpereira'],
    state: 'opened',
    createdDaysAgo: 289,
    updatedDaysAgo: 46,
    comments: [
      { author: 'dmitri-k', body: 'Storage estimate: 410 GB for all three sizes. OK.', daysAgo: 270 },
      { author: 'jpereira', body: '96 and 256 are on staging.', daysAgo: 46 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 695,
    title: 'RAW photos (.cr3, .nef, .arw) show a gray box instead of a preview',
    body: `Camera raw files have no preview, only the gray box with the file type.

Here nothing fails: the types are not in the list of the dispatcher, so the worker is never asked. Nearly all raw files carry an embedded JPEG of decent size. Extracting that would be enough and takes milliseconds; developing the raw data is not needed.

Asked for by photographers about once a week.`,
    type: 'feature',
    priority: 'low',
    labels: ['enhancement', 'area:previews'],
    author: 'lena-support',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 252,
    updatedDaysAgo: 251,
    comments: [{ author: 'jpereira', body: 'Agreed on the embedded picture.', daysAgo: 251 }],
    truth: { relatedTo: ['skua/web#633'] },
  },
  {
    number: 718,
    title: 'PDF preview ignores page rotation, scanned pages are shown sideways',
    body: `\`render_page()\` in the preview worker calls the library with \`rotate=0\` instead of leaving the parameter out, so \`/Rotate\` in the page dictionary has no effect. Landscape pages from scanners and plans come out turned by 90 degrees.

One-line fix plus a test file with all four values. Existing previews need a version bump to be made again.`,
    type: 'bug',
    priority: 'low',
    labels: ['bug', 'area:previews', 'good first issue'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 221,
    updatedDaysAgo: 221,
    comments: [],
    truth: { duplicateOf: 'skua/web#609' },
  },
  {
    number: 752,
    title: 'Store the text of a document when its preview is made',
    body: `The preview worker already opens PDF, office and text files. At that moment the text costs next to nothing, later it means opening every file again.

Proposal
- keep up to 1 MB of plain text per revision, compressed, next to the preview
- language guess and page offsets along with it
- delete it together with the revision
- encrypted like the file itself

No user-visible change. Scanned pages without text stay empty, recognition of images is another matter.

Rough size from a sample of 20,000 documents: 14 KB on average after compression.`,
    type: 'task',
    priority: 'medium',
    labels: ['area:previews', 'backend'],
    author: 'jpereira',
    assignees: ['jpereira'],
    state: 'opened',
    createdDaysAgo: 175,
    updatedDaysAgo: 95,
    comments: [
      {
        author: 'dmitri-k',
        body: 'Encryption: same data key, different context string, please.',
        daysAgo: 95,
      },
    ],
    truth: {},
  },
  {
    number: 797,
    title: 'Preview worker runs out of memory on a PDF with 900 pages',
    body: `One construction plan set takes the worker down, the job is retried on the next worker and takes that down too, until all six are restarting. Previews for everybody stood still for 40 minutes yesterday.

\`\`\`
Traceback (most recent call last):
  File "/srv/preview/worker.py", line 88, in run
    pages = [render_page(doc, i) for i in range(len(doc))]
  File "/srv/preview/pdf.py", line 41, in render_page
    bitmap = page.render(scale=scale)
MemoryError
\`\`\`

- render page by page and write each one out
- memory limit per job, and no second try after it is hit
- the first 50 pages at once, the rest on demand`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'area:previews', 'incident'],
    author: 'jpereira',
    assignees: ['jpereira'],
    state: 'closed',
    createdDaysAgo: 114,
    updatedDaysAgo: 107,
    comments: [
      { author: 'dmitri-k', body: 'The limit per job is in place since last night.', daysAgo: 113 },
      { author: 'jpereira', body: 'All three points are live. Peak is 310 MB with that file.', daysAgo: 107 },
    ],
    truth: {},
  },
  {
    number: 856,
    title: 'preview broken',
    body: `preview of my file does not work, see screenshot`,
    type: 'bug',
    priority: null,
    labels: ['needs-info', 'area:previews'],
    author: 'carlosmdz',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 33,
    updatedDaysAgo: 32,
    comments: [
      { author: 'lena-support', body: 'The screenshot is missing. Which kind of file is it?', daysAgo: 32 },
    ],
    truth: { quality: 'vague' },
  },
];
