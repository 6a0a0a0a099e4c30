import type { SampleIssue } from './types.ts';

/** Single sign-on, provisioning, tokens and second factors. */
export const webIdentity: SampleIssue[] = [
  {
    number: 624,
    title: 'SCIM: deactivating a user does not end their sessions',
    body: `\`PATCH /scim/v2/Users/{id}\` with \`active: false\` sets \`disabled_at\`, and sign-in is refused from then on. Sessions and refresh tokens that exist are not touched. A browser session lives 14 days, a desktop session until its refresh token is 90 days old, and neither checks \`disabled_at\`.

Expected: all sessions and tokens are revoked in the same transaction, open live connections are closed within a minute.

The button in Admin > Members does it right, so \`deactivateUser()\` only has to be called from the SCIM handler too.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'security', 'area:identity'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 348,
    updatedDaysAgo: 170,
    comments: [
      {
        author: 'samir-ops',
        body: 'For the time being we press the button by hand after each off-boarding.',
        daysAgo: 331,
      },
      { author: 'pvarga', body: 'This has been lying too long. Planned for the next release.', daysAgo: 170 },
    ],
    truth: {},
  },
  {
    number: 645,
    title: 'SAML sign-in fails: audience mismatch',
    body: `After moving our identity provider to a new tenant every sign-in ends with "Sign-in failed (saml_audience)". The log in Admin > Single sign-on says:

\`\`\`
expected audience https://app.skua.example/saml/acme-org
received audience https://app.skua.example/saml/Acme-Org
\`\`\`

Only upper and lower case differ. The metadata file that we download from you has the spelling with capitals, so I think your side contradicts itself.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:identity', 'customer'],
    author: 'samir-ops',
    assignees: ['dmitri-k'],
    state: 'closed',
    createdDaysAgo: 320,
    updatedDaysAgo: 316,
    comments: [
      {
        author: 'dmitri-k',
        body: 'You are right, the metadata page used the display name. It now uses the identifier, and we compare without regard to case for the old ones.',
        daysAgo: 317,
      },
      { author: 'samir-ops', body: 'Works.', daysAgo: 316 },
    ],
    truth: {},
  },
  {
    number: 661,
    title: 'Loopback redirect with PKCE for native apps',
    body: `## Goal
Native programs can sign in through the user's browser, without a secret in the program.

## Acceptance criteria
- [x] Clients of type *native* may register \`http://127.0.0.1\`; any port is accepted at run time, \`localhost\` is not.
- [x] PKCE with S256 is required for them, plain is refused.
- [x] The page after sign-in says that the window can be closed.
- [x] A code can be shown for typing when the redirect is not reachable; valid 5 minutes, one use.
- [x] Refused attempts are in the audit log.

## Out of scope
Device flow; changes in the desktop client.

## Approach
As in RFC 8252, section 7.3. New client type, checks in the authorize handler.

## Estimate
5 points`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:identity'],
    author: 'dmitri-k',
    assignees: ['dmitri-k'],
    state: 'closed',
    createdDaysAgo: 298,
    updatedDaysAgo: 64,
    comments: [
      { author: 'hana-s', body: 'Tried against staging from a small test program, all good.', daysAgo: 70 },
      { author: 'dmitri-k', body: 'Live.', daysAgo: 64 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 710,
    title: 'Sign in with security keys and passkeys (WebAuthn)',
    body: `## Goal
Members can use a security key or a passkey as second factor, or instead of the password.

## Acceptance criteria
- [ ] Account > Security lists keys with name, date added, last used; up to ten per account.
- [ ] Adding a key needs a fresh sign-in (5 minutes).
- [ ] Sign-in offers the key first when the account has one.
- [ ] Administrators can require keys for all or for chosen groups, with a grace period in days.
- [ ] Losing the last key is handled by recovery codes or by an administrator, both audited.
- [ ] Works in current Chrome, Firefox, Safari and in the page that the desktop client opens.

## Out of scope
Attestation lists; keys for guests.

## Approach
Server library for the ceremony, credentials in their own table, user verification preferred.

## Dependencies
None known.

## Estimate
13 points, to be cut in two: second factor first, passwordless later.`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'security', 'area:identity'],
    author: 'pvarga',
    assignees: ['dmitri-k'],
    state: 'opened',
    createdDaysAgo: 232,
    updatedDaysAgo: 29,
    comments: [
      { author: 'dmitri-k', body: 'Schema and registration are merged behind a flag.', daysAgo: 48 },
      { author: 'okonjo-qa', body: 'Test plan with four kinds of keys is written.', daysAgo: 29 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 731,
    title: 'Refresh token reuse detection ends healthy desktop sessions',
    body: `Since rotation is on, reuse detection fires about 1,900 times a day. I looked at 50 cases: every one is the same device, two requests with the same refresh token, 5 to 80 ms apart, user agents \`SkuaShell\` and \`skua-engine\`. No sign of theft.

\`\`\`
auth.refresh session=7be1 ua=SkuaShell/4.4.2   ok rotated
auth.refresh session=7be1 ua=skua-engine/4.4.2 reuse detected -> invalid_grant, session ended
\`\`\`

Peak is between 7 and 9 in the morning, local time of the user, when laptops wake up. The people affected have to sign in again.

We could allow the previous token for 30 s, but the clean way is that a device refreshes once.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:identity'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 203,
    updatedDaysAgo: 185,
    comments: [
      { author: 'lena-support', body: 'That would explain a good part of our Monday tickets.', daysAgo: 185 },
    ],
    truth: { duplicateOf: 'skua/sync#1298' },
  },
  {
    number: 756,
    title: 'Deactivated user could still download files two days later',
    body: `We disable people in our identity provider and it is passed on to Skua automatically. On Friday an employee left. On Sunday he downloaded 300 files, we see it in the activity log, with his name, from his own notebook, where he was still signed in.

In Skua his account is shown as *Deactivated* since Friday 17:02, so the message did arrive. Why can a deactivated person download anything?

This has to go to our data protection officer, so I need a written statement as well.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['security', 'customer'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 169,
    updatedDaysAgo: 166,
    comments: [
      {
        author: 'lena-support',
        body: 'I ended his sessions by hand and told them how to do it in Admin > Members. The statement is with our data protection officer.',
        daysAgo: 168,
      },
      {
        author: 'bgruber',
        body: 'Thank you. We must be able to rely on this without a manual step.',
        daysAgo: 166,
      },
    ],
    truth: { duplicateOf: 'skua/web#624' },
  },
  {
    number: 767,
    title: 'SAML sign-in fails: signature invalid after certificate change',
    body: `Our identity provider changes its signing certificate once a year. Since this morning every sign-in ends with "Sign-in failed (saml_signature)".

We pasted the new certificate in Admin > Single sign-on yesterday, next to the old one, as your help page says. It seems that only the first certificate of the two is tried. After deleting the old one everybody can sign in again.

With 900 people there is no good moment for that, old and new have to be accepted side by side for a day.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:identity', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 154,
    updatedDaysAgo: 152,
    comments: [
      {
        author: 'dmitri-k',
        body: 'Confirmed, `certificates[0]`. The loop got lost in a refactoring.',
        daysAgo: 152,
      },
    ],
    truth: { relatedTo: ['skua/web#645'] },
  },
];
