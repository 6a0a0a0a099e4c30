import type { SampleIssue } from './types.ts';

/** Spaces, members, guests and their rights. */
export const webSharing: SampleIssue[] = [
  {
    number: 588,
    title: 'Removing a member from a space leaves the links they created working',
    body: `Steps
1. Member A of a space creates a link to a folder.
2. An owner removes A from the space.
3. Open the link in a private window: it still works, and A can still change its settings at \`/links\`.

Links belong to a person today, so nothing happens to them on removal. They should belong to the space: owners see them, and on removal they are asked "Keep 4 links" or "Turn off 4 links", with *Turn off* preselected.

Found in the yearly review, please do not discuss outside.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'security', 'area:sharing'],
    author: 'dmitri-k',
    assignees: ['jpereira', 'dmitri-k'],
    state: 'closed',
    createdDaysAgo: 397,
    updatedDaysAgo: 378,
    comments: [
      {
        author: 'jpereira',
        body: 'Ownership moved to the space with a migration, 61,000 rows.',
        daysAgo: 384,
      },
      { author: 'okonjo-qa', body: 'Verified on staging and production.', daysAgo: 378 },
    ],
    truth: {},
  },
  {
    number: 604,
    title: 'Guests do not see spaces that were shared with them through a group',
    body: `A guest account that is a member of a group gets no spaces through that group. \`GET /v2/spaces\` answers \`[]\`. Adding the guest to the space directly works. Regular members of the same group are fine.

\`spacesFor(user)\` joins group memberships with \`WHERE membership.kind = 'member'\`, and guests have \`kind = 'guest'\`. The web app hides the problem a little, because guests usually come through a link into one folder. The desktop client shows them nothing.

Rights inside the space must stay those of a guest: no inviting, no links.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:sharing', 'area:api'],
    author: 'jpereira',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 376,
    updatedDaysAgo: 186,
    comments: [
      {
        author: 'noor-v',
        body: 'The "Shared with me" page has its own query and needs the same change.',
        daysAgo: 374,
      },
      { author: 'jpereira', body: 'Not started, still wanted.', daysAgo: 186 },
    ],
    truth: {},
  },
  {
    number: 702,
    title: 'View-only sharing without download',
    body: `As a lawyer I want to show a draft to the other party without handing over the file, so that there is one place where it can be read and I can take it back.

- a new right "Can view, no download" for members, guests and links
- the preview is shown with a watermark (name or e-mail address of the viewer, date)
- no download, copy or print buttons; the zip of a parent folder leaves such files out
- desktop clients do not sync these files at all

We know that a screenshot cannot be prevented. The text in the dialog should say so honestly.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:sharing', 'customer'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 243,
    updatedDaysAgo: 150,
    comments: [
      {
        author: 'bgruber',
        body: 'Für Ausschreibungen brauchen wir genau das. Das Wasserzeichen bitte abschaltbar.',
        daysAgo: 198,
      },
      {
        author: 'jpereira',
        body: 'Leaving files out of the zip is easy. Not syncing them needs a flag in the change feed that old clients ignore, so old clients would have to be shut out of such spaces.',
        daysAgo: 150,
      },
    ],
    truth: {},
  },
  {
    number: 745,
    title: 'Require an approval before guests are invited',
    body: `## Goal
Organizations with strict rules let members invite guests, and an administrator confirms each new address once.

## Acceptance criteria
- [ ] Admin > Sharing has "Guests need approval": off (default), on, or on except for listed domains.
- [ ] When on, an invitation is stored as *waiting*; the inviter sees that, the guest gets no e-mail yet.
- [ ] Administrators get one e-mail per hour at most with all waiting invitations, and can approve or decline with a reason.
- [ ] After 14 days without an answer an invitation lapses and the inviter is told.
- [ ] An address that was approved once needs no second approval.
- [ ] Every decision is in the audit log.

## Not in scope
Approval for links; several approvers.

## Approach
State machine on \`invitation\` (waiting, sent, accepted, declined, lapsed), nightly job for the lapse, page beside Admin > Members.

## Dependencies
None.

## Estimate
8 points`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:sharing', 'area:admin'],
    author: 'pvarga',
    assignees: ['jpereira'],
    state: 'opened',
    createdDaysAgo: 184,
    updatedDaysAgo: 73,
    comments: [
      {
        author: 'samir-ops',
        body: 'Listed domains cover 90 % of our cases, good.',
        daysAgo: 160,
      },
      { author: 'noor-v', body: 'Designs for the waiting state are linked in the epic.', daysAgo: 73 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 781,
    title: 'Sharing rights are unclear',
    body: `Several people told us they don't understand who can see what. We need to make this clearer.`,
    type: 'feature',
    priority: 'medium',
    labels: ['area:sharing', 'ux'],
    author: 'lena-support',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 135,
    updatedDaysAgo: 129,
    comments: [{ author: 'noor-v', body: 'Agreed. Where do we start?', daysAgo: 129 }],
    truth: { quality: 'vague' },
  },
  {
    number: 823,
    title: 'Transfer the ownership of a space',
    body: `**Goal:** when somebody leaves, their spaces get a new owner in one step, without support writing SQL (31 requests this year).

**Acceptance criteria**
1. Space settings > Members: an owner can choose *Make owner* for any full member.
2. Admin > Spaces: an administrator can do the same for several spaces at once.
3. The new owner gets an e-mail, both events are in the audit log.
4. The old owner becomes a normal member, or leaves if the box is checked.
5. Links, file requests and quota move with the space; nothing is downloaded again by desktop clients.
6. A guest cannot become an owner: the API answers 422 with a sentence.

**Non-goals:** moving a space to another organization.

**Approach:** \`POST /v2/spaces/{id}/owner\`, one transaction; reuse the member picker of the share dialog.

**Dependencies:** none. **Estimate:** 5.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:sharing', 'area:admin'],
    author: 'pvarga',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 78,
    updatedDaysAgo: 56,
    comments: [{ author: 'lena-support', body: 'I collected the cases, happy to test.', daysAgo: 56 }],
    truth: { quality: 'ready' },
  },
  {
    number: 851,
    title:
      'Share dialog renders <b>HTML</b> in space names: "<img src=x onerror=alert(1)> Q3" shows an alert',
    body: `A space named \`<img src=x onerror=alert(1)> Q3\` runs the script when another member opens the share dialog. Everywhere else the name is escaped.

\`ShareDialog.tsx\` puts the translated sentence "Share {name}" in with \`dangerouslySetInnerHTML\`, because the translation contains \`<b>\`.

Content security policy stops inline handlers on production, so only staging shows the alert. The bold text is visible everywhere, though. Please use the component form of the translation function and search for the same pattern elsewhere.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'security', 'area:sharing'],
    author: 'okonjo-qa',
    assignees: ['noor-v'],
    state: 'closed',
    createdDaysAgo: 40,
    updatedDaysAgo: 35,
    comments: [
      {
        author: 'noor-v',
        body: 'Fixed, and two more places of the same kind (rename dialog, invitation page). There is a lint rule against it now.',
        daysAgo: 36,
      },
      { author: 'okonjo-qa', body: 'Verified.', daysAgo: 35 },
    ],
    truth: {},
  },
];
