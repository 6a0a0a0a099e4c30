import type { SampleIssue } from './types.ts';

/** Signing in and getting through to the server: proxies, tokens, browsers, keys. */
export const syncSignIn: SampleIssue[] = [
  {
    number: 1204,
    title: 'Uploads fail with 407 behind an authenticating proxy',
    body: `Signing in works, listing works, every upload fails:

\`\`\`
net: CONNECT files.skua.example:443 via proxy.corp.example:8080
net: proxy answered 407 Proxy Authentication Required
upload: request failed: ProxyAuth (attempt 3/3)
\`\`\`

User and password of the proxy are filled in under Preferences > Network. The control connection sends them, the transfer pool is created before the preferences are read and keeps going without.

4.2.1 on Windows, proxy with Basic authentication.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:network', 'customer'],
    author: 'samir-ops',
    assignees: ['mlindqvist'],
    state: 'closed',
    createdDaysAgo: 398,
    updatedDaysAgo: 373,
    comments: [
      {
        author: 'mlindqvist',
        body: 'You even found the reason, thank you. The pool is now built lazily. In 4.2.4.',
        daysAgo: 386,
      },
      { author: 'samir-ops', body: 'Works with 4.2.4.', daysAgo: 373 },
    ],
    truth: {},
  },
  {
    number: 1298,
    title: 'Signed out with invalid_grant when two processes refresh at the same time',
    body: `Engine and shell each hold the refresh token. After a night in standby both wake up, both find the access token expired, both refresh. The second one presents a token that was rotated a moment ago, gets \`invalid_grant\`, and treats that as "session ended".

\`\`\`
06:58:30.112 shell  auth: refresh ok, rotated
06:58:30.140 engine auth: refresh failed: invalid_grant
06:58:30.141 engine auth: session ended, clearing credentials
\`\`\`

The user has to sign in again. Began with 4.3.0, when rotation was turned on.

Only the engine should refresh; the shell should ask it over the local socket.`,
    type: 'bug',
    priority: 'urgent',
    labels: ['bug', 'area:auth', 'regression'],
    author: 'hana-s',
    assignees: ['hana-s'],
    state: 'opened',
    createdDaysAgo: 302,
    updatedDaysAgo: 140,
    comments: [
      {
        author: 'mlindqvist',
        body: 'Quick relief: on invalid_grant read the credential store again and retry once before giving up.',
        daysAgo: 300,
      },
      {
        author: 'hana-s',
        body: 'The retry shipped with 4.3.2. It helps in most cases, the proper change is still open.',
        daysAgo: 140,
      },
    ],
    truth: {},
  },
  {
    number: 1372,
    title: 'Sign-in window stays blank behind the corporate proxy (407)',
    body: `Clicking "Sign in" opens a white window. Nothing else. The proxy log shows

\`\`\`
CONNECT id.skua.example:443 407 Proxy Authentication Required "-" agent="SkuaShell/4.4.1 (embedded)"
\`\`\`

The embedded browser of the shell takes the system proxy without credentials and has no dialog to ask for them. Engine traffic is fine since 4.2.4. Computers that were signed in before the proxy came keep working.

Workaround: sign in over a phone hotspot once.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:auth', 'area:network'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 229,
    updatedDaysAgo: 57,
    comments: [
      {
        author: 'rkowalczyk',
        body: 'The embedded view cannot be taught this on Windows. I would rather get rid of it.',
        daysAgo: 57,
      },
    ],
    truth: { relatedTo: ['skua/sync#1204'] },
  },
  {
    number: 1438,
    title: 'Client asks me to log in every morning',
    body: `Each morning when I open the laptop there is the red dot and "Please sign in to continue". I sign in, it is fine for the day, next morning the same. My colleagues have it perhaps once a week.

It started some months ago with an update. Before, I stayed signed in for a year.

Skua 4.5.1 on Windows 11. The laptop sleeps at night, it is not switched off.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'customer', 'area:auth'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 163,
    updatedDaysAgo: 158,
    comments: [
      {
        author: 'lena-support',
        body: 'Attached the log of three mornings. Each has "session ended, clearing credentials" within a second after wake-up.',
        daysAgo: 158,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1298' },
  },
  {
    number: 1523,
    title: 'Support hardware keys when signing in on the desktop',
    body: `Our security team hands out hardware keys and will forbid one-time codes from next year on. The desktop client offers password plus code only.

Wanted: plug in the key, touch it, done. Also for the confirmation when a device is linked.

Nothing to do in the client before skua/web#710 is there, except opening the right page.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:auth', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 77,
    updatedDaysAgo: 68,
    comments: [
      {
        author: 'pvarga',
        body: 'Two more customers of the public sector ask for it. Planned after the web part.',
        daysAgo: 68,
      },
    ],
    truth: { blockedBy: ['skua/web#710'] },
  },
  {
    number: 1542,
    title: 'Sign in with the system browser instead of the embedded window',
    body: `## Goal
Sign-in works wherever the user's browser works: proxies, password managers, client certificates, single sign-on sessions.

## Acceptance criteria
- [ ] "Sign in" opens the default browser; the shell shows "Continue in your browser" with *Copy address* and *Cancel*.
- [ ] The answer comes back to a listener on 127.0.0.1 with a random port, open for 5 minutes at most, state and PKCE verified.
- [ ] If the port is blocked, a code can be typed by hand.
- [ ] The embedded view and its 60 MB are removed from all three installers.
- [ ] Tested behind a proxy that asks for credentials.

## Non-goals
Changing what the sign-in page itself offers.

## Approach
Listener in the engine, tokens never pass through the shell. Old flow stays behind a flag for one release.

## Dependencies
Depends on skua/web#661 (loopback redirect).

## Estimate
8 points`,
    type: 'task',
    priority: 'high',
    labels: ['area:auth', 'enhancement'],
    author: 'hana-s',
    assignees: ['hana-s', 'rkowalczyk'],
    state: 'opened',
    createdDaysAgo: 58,
    updatedDaysAgo: 11,
    comments: [{ author: 'rkowalczyk', body: 'Windows part is ready for review.', daysAgo: 11 }],
    truth: { blockedBy: ['skua/web#661'], quality: 'ready' },
  },
  {
    number: 1581,
    title: 'Login issue',
    body: `User can't log in. Please check.`,
    type: 'bug',
    priority: null,
    labels: ['needs-info', 'area:auth'],
    author: 'lena-support',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 19,
    updatedDaysAgo: 19,
    comments: [],
    truth: { quality: 'vague' },
  },
];
