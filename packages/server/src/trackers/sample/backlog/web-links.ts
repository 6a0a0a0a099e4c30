import type { SampleIssue } from './types.ts';

/** Share links and file requests. */
export const webLinks: SampleIssue[] = [
  {
    number: 596,
    title: 'Share link opens a blank page when third-party storage is blocked',
    body: `### What happens
Opening a share link shows a blank page. The console says

\`\`\`
Uncaught SecurityError: Failed to read the 'localStorage' property from 'Window': Access is denied for this document.
    at readTheme (app.4c1f.js:1:20714)
    at bootstrap (app.4c1f.js:1:21003)
\`\`\`

### Steps to reproduce
1. Private window, "Block all cookies" in the browser settings.
2. Open any share link.

### Expected
The file is shown. A link needs neither cookies nor storage.

### Where
Chrome 121, Firefox 122, Safari 17. We read the color scheme from \`localStorage\` before anything is rendered, without a try.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:links'],
    author: 'okonjo-qa',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 387,
    updatedDaysAgo: 311,
    comments: [
      {
        author: 'noor-v',
        body: 'A wrapper for storage that falls back to memory would cover the eleven places where we do this.',
        daysAgo: 311,
      },
    ],
    truth: {},
  },
  {
    number: 612,
    title: 'Links should expire after 30 days by default',
    body: `Most links are needed for a few days and stay open for years. We have 4,100 active ones, nobody knows for what.

New links should get an expiry date 30 days ahead. Whoever creates one can change the date or remove it. Administrators can set another number of days for the organization.

Links that exist keep their settings.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'security', 'area:links'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 365,
    updatedDaysAgo: 137,
    comments: [
      {
        author: 'pvarga',
        body: 'I like the default. Needs a word in the dialog so nobody is surprised.',
        daysAgo: 340,
      },
      {
        author: 'lena-support',
        body: 'Please also send an e-mail some days before a link ends, otherwise we will get the calls.',
        daysAgo: 137,
      },
    ],
    truth: {},
  },
  {
    number: 657,
    title: 'Share links show our customers a white page when cookies are blocked',
    body: `Two of our clients (a bank and a hospital) cannot open what we share with them. They click the link, the tab gets the right title, and the page remains white. Other recipients have no problem with the same link.

Both have strict browser settings from their IT, cookies for unknown sites are refused. One of them tried it at home on a private tablet and there it opened.

For us this is embarrassing, we have gone back to e-mail attachments for these two.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'customer', 'area:links'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 304,
    updatedDaysAgo: 296,
    comments: [
      {
        author: 'lena-support',
        body: 'The hospital sent a screenshot of the console: "SecurityError ... Access is denied for this document".',
        daysAgo: 296,
      },
    ],
    truth: { duplicateOf: 'skua/web#596' },
  },
  {
    number: 689,
    title: 'Create and list links through the public API (POST /v2/links)',
    body: `## Goal
Programs with an access token can create, list, change and revoke links. Today only the browser session can.

## Acceptance criteria
- [ ] \`POST /v2/links\` takes \`file_id\`, \`right\`, \`expires_at\`, \`password\`; answers the existing link when \`reuse: true\` and settings are equal.
- [ ] \`GET /v2/links?file_id=\`, \`PATCH\` and \`DELETE /v2/links/{id}\`.
- [ ] The space's rules (no links, password required, longest expiry) are enforced: 422 with a code.
- [ ] Scope \`links:write\`; without it 403.
- [ ] 60 creations per minute and token.
- [ ] Documented with an example for each call.

## Out of scope
File requests; statistics.

## Approach
Move the rules from the GraphQL resolver into \`LinkService\`, call it from both.

## Estimate
5 points, nothing to wait for.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:api', 'area:links'],
    author: 'dmitri-k',
    assignees: ['dmitri-k'],
    state: 'opened',
    createdDaysAgo: 260,
    updatedDaysAgo: 25,
    comments: [
      { author: 'jpereira', body: 'LinkService is extracted, resolver uses it.', daysAgo: 60 },
      { author: 'dmitri-k', body: 'REST part starts next week.', daysAgo: 25 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 734,
    title: 'Record an event each time a link is opened',
    body: `## Goal
We know when and how often a link was opened, as the base for showing it to people and for spotting abuse.

## Acceptance criteria
- An event \`link.opened\` or \`link.downloaded\` with link id, time, country (from the address, which is not stored) and kind of device.
- Reloads by the same visitor within 30 minutes count once. Known crawlers and chat previews do not count.
- 500 events per second for ten minutes without slowing the page (p95 below +5 ms).
- Events are kept for 13 months, then only daily totals.
- The privacy page names the data.

## Out of scope
Any interface; who the visitor is.

## Approach
Append to the event stream, a consumer writes hourly totals to \`link_daily\`.

## Estimate
5 points. No dependencies.`,
    type: 'task',
    priority: 'medium',
    labels: ['area:links', 'backend'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 199,
    updatedDaysAgo: 192,
    comments: [
      { author: 'pvarga', body: 'Checked with our data protection officer, fine as written.', daysAgo: 192 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 779,
    title: 'Links must never expire unless I set a date',
    body: `I hear there are plans to let links expire after 30 days by default. Please don't.

We print QR codes with Skua links in our manuals and on machine plates. They have to work for fifteen years. Our people will forget to remove the date, and we notice when a technician stands in front of the machine.

If a default must be, then at most as a setting that an administrator turns on.`,
    type: 'feature',
    priority: null,
    labels: ['enhancement', 'area:links', 'customer'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 138,
    updatedDaysAgo: 136,
    comments: [{ author: 'pvarga', body: 'Good point about printed links. Noted.', daysAgo: 136 }],
    truth: { relatedTo: ['skua/web#612'] },
  },
  {
    number: 808,
    title: 'Show how often a link was opened',
    body: `As a sales person I want to see whether and when my customer has looked at the offer, so that I call at the right moment.

In the share dialog, under each link: "Opened 7 times, last yesterday at 16:20", and a small chart of the last 30 days on click. Downloads are counted apart. Nothing about *who* it was.

For owners of the space only, not for guests.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:links'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 99,
    updatedDaysAgo: 91,
    comments: [{ author: 'noor-v', body: 'Chart component exists in billing, can be moved.', daysAgo: 91 }],
    truth: { blockedBy: ['skua/web#734'] },
  },
  {
    number: 840,
    title: 'File requests: let clients upload without an account',
    body: `As a tax adviser I want to send my clients a link where they can drop their documents, so that they need no account and do not see the documents of others.

**Works when**
- I choose a folder, a title, a text and an optional end date, and get a link
- the visitor enters a name, drops files, sees a confirmation and nothing else
- files land in \`<folder>/<name of visitor>\`, with the date in front when a name exists already
- I get one e-mail per visit
- limits: 2 GB per file, 10 GB per visit, the space's quota applies

**Open questions:** virus scan before or after it shows up in the folder? Should the visitor be able to correct an upload?`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:links'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 55,
    updatedDaysAgo: 17,
    comments: [
      {
        author: 'lena-support',
        body: 'From the calls of the last months, what people ask for most: several requests to one folder, a reminder to those who have not sent anything, and their own logo. I would leave all three for later.',
        daysAgo: 53,
      },
      {
        author: 'noor-v',
        body: 'I tested a paper version with five people. Nobody understood "request". With "Ask for files" as the button everybody found it.',
        daysAgo: 41,
      },
      {
        author: 'dmitri-k',
        body: 'Scan before. We have the hook since the preview rework, the file is just not listed until the verdict is in.',
        daysAgo: 30,
      },
      {
        author: 'pvarga',
        body: 'Then: scan before, no correcting in the first version, the visitor writes to the owner instead.',
        daysAgo: 26,
      },
      { author: 'yuki-t', body: 'This would replace another tool in our office.', daysAgo: 17 },
    ],
    truth: {},
  },
];
