import type { SampleIssue } from './types.ts';

/** The file list: renaming, sorting, downloading folders. */
export const webFiles: SampleIssue[] = [
  {
    number: 617,
    title: 'Downloading a folder of more than 4 GB as zip gives a damaged archive',
    body: `The streamed zip uses 32-bit sizes and offsets. As soon as one member or the offset of the central directory passes 4 GiB, the values wrap and the archive cannot be opened.

\`\`\`
$ unzip -t project.zip
warning [project.zip]:  4294967296 extra bytes at beginning or within zipfile
error: invalid zip file with overlapped components
\`\`\`

We need Zip64 records, from the first entry on, since the total is not known when the stream starts. Some old unpackers do not understand that; the help page should name the ones that do.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:files', 'backend'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 358,
    updatedDaysAgo: 344,
    comments: [
      {
        author: 'jpereira',
        body: 'Until then we could refuse above 4 GB with a clear sentence. A wrong archive is worse than none.',
        daysAgo: 344,
      },
    ],
    truth: {},
  },
  {
    number: 649,
    title: "TypeError: Cannot read properties of undefined (reading 'etag') when renaming a file",
    body: `Renaming a file right after uploading it in the browser fails, the name jumps back. Chrome 120.

\`\`\`
TypeError: Cannot read properties of undefined (reading 'etag')
    at FileList.applyRename (FileList.ts:212:31)
    at RenameDialog.submit (RenameDialog.tsx:64:11)
    at HTMLFormElement.dispatch (events.ts:40:7)
\`\`\`

The row of a fresh upload has a temporary id until the listing is fetched again. \`applyRename\` looks the row up by the final id and finds nothing.

1. Upload a file by drag and drop.
2. Press F2 within two seconds and enter another name.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:files'],
    author: 'okonjo-qa',
    assignees: ['noor-v'],
    state: 'opened',
    createdDaysAgo: 315,
    updatedDaysAgo: 303,
    comments: [
      {
        author: 'noor-v',
        body: 'Plan: keep temporary and final id on the row until the next full refresh.',
        daysAgo: 303,
      },
    ],
    truth: {},
  },
  {
    number: 675,
    title: 'Sorting by size puts folders in random order',
    body: `When I click on the column Size, the files are in the right order, but the folders come in another order each time I reload the page. It would be nice if folders were sorted by their content, or at least by name.

I have about 80 folders in that view, so it is hard to find one again.`,
    type: 'bug',
    priority: 'low',
    labels: ['bug', 'area:files', 'good first issue'],
    author: 'yuki-t',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 280,
    updatedDaysAgo: 274,
    comments: [
      {
        author: 'noor-v',
        body: 'Folders have no size in the listing, so all of them compare equal. I would sort them by name and keep them on top.',
        daysAgo: 274,
      },
    ],
    truth: {},
  },
  {
    number: 677,
    title: 'Sorting by size puts folders in random order',
    body: `When I click on the column Size, the files are in the right order, but the folders come in another order each time I reload the page. It would be nice if folders were sorted by their content, or at least by name.

I have about 80 folders in that view, so it is hard to find one again.`,
    type: 'bug',
    priority: null,
    labels: ['needs-triage'],
    author: 'yuki-t',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 279,
    updatedDaysAgo: 279,
    comments: [],
    truth: { duplicateOf: 'skua/web#675' },
  },
  {
    number: 729,
    title: 'Zip of a whole space is damaged: "unexpected end of archive"',
    body: `I wanted to take a copy of our finished project with me. In the browser I marked everything and pressed Download. After two hours I have a zip of 11 GB, and when I unpack it: *Unexpected end of archive*. Tried it three times, also from the office with the good line, and with another unpacking program, which says "headers error".

Smaller folders one after the other are all fine, the largest that worked had 3.6 GB.

It took me a day to get my data, folder by folder. If there is a limit, tell me before.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'customer', 'area:files'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 206,
    updatedDaysAgo: 204,
    comments: [{ author: 'lena-support', body: 'Third customer with this since spring.', daysAgo: 204 }],
    truth: { duplicateOf: 'skua/web#617' },
  },
  {
    number: 738,
    title: 'TypeError: can\'t access property "etag" when renaming a file after upload (Firefox)',
    body: `Drop a file into the list, rename it straight away, the old name comes back after a second. Console:

\`\`\`
Uncaught (in promise) TypeError: can't access property "etag", n is undefined
    applyRename FileList.ts:212
    submit RenameDialog.tsx:64
\`\`\`

Firefox 126 on Linux. If I wait some seconds or reload before renaming, it is OK.`,
    type: 'bug',
    priority: null,
    labels: ['bug', 'area:files'],
    author: 'fjordfisk',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 194,
    updatedDaysAgo: 194,
    comments: [],
    truth: { duplicateOf: 'skua/web#649' },
  },
  {
    number: 763,
    title: "TypeError: Cannot read properties of null (reading 'parentId') when renaming in search results",
    body: `Renaming a file in the *search results* fails:

\`\`\`
TypeError: Cannot read properties of null (reading 'parentId')
    at FileList.applyRename (FileList.ts:219:18)
    at RenameDialog.submit (RenameDialog.tsx:64:11)
    at HTMLFormElement.dispatch (events.ts:40:7)
\`\`\`

Search results have no current folder, so \`this.folder\` is null here. The rename itself goes through on the server, only the list is not updated and shows the old name until it is reloaded.

It has nothing to do with fresh uploads, any file will do.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:files', 'area:search'],
    author: 'noor-v',
    assignees: ['noor-v'],
    state: 'closed',
    createdDaysAgo: 160,
    updatedDaysAgo: 157,
    comments: [{ author: 'noor-v', body: 'Search results now use the parent from the row.', daysAgo: 157 }],
    truth: { relatedTo: ['skua/web#649'] },
  },
  {
    number: 837,
    title: 'Takes long to load',
    body: `The web app. Since some days. Please fix.`,
    type: 'bug',
    priority: null,
    labels: ['needs-info', 'performance'],
    author: 'yuki-t',
    assignees: [],
    state: 'closed',
    createdDaysAgo: 59,
    updatedDaysAgo: 31,
    comments: [
      {
        author: 'noor-v',
        body: 'Which page, which browser, and about how many files are in the folder?',
        daysAgo: 57,
      },
      { author: 'lena-support', body: 'No answer for four weeks, closing for now.', daysAgo: 31 },
    ],
    truth: { quality: 'vague' },
  },
];
