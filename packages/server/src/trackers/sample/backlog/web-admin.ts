import type { SampleIssue } from './types.ts';

/** What administrators work with: members, tokens, audit log. */
export const webAdmin: SampleIssue[] = [
  {
    number: 722,
    title: 'Personal access tokens with scopes',
    body: `## Goal
Scripts and servers can use Skua without a person's password or a browser.

## Acceptance criteria
- [ ] Account > Tokens: create with name, scopes (\`files:read\`, \`files:write\`, \`links:write\`, \`admin:read\`) and an expiry of at most one year.
- [ ] The token is shown once and stored as a hash; the list shows prefix, scopes, last use.
- [ ] Requests outside of the scopes get 403 with the missing scope in the answer.
- [ ] Administrators see and revoke all tokens, and can forbid them.
- [ ] Creating and revoking is in the audit log; the owner gets an e-mail ten days before the end.
- [ ] Prefix \`skua_pat_\` so that secret scanners find leaks.

## Out of scope
Tokens that belong to an organization instead of a person.

## Approach
Same middleware as sessions, different resolver; scopes checked by the route table.

## Dependencies
None. **Estimate:** 8 points`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:admin', 'area:api'],
    author: 'dmitri-k',
    assignees: ['dmitri-k'],
    state: 'opened',
    createdDaysAgo: 216,
    updatedDaysAgo: 13,
    comments: [
      {
        author: 'fjordfisk',
        body: 'Could a token be bound to one space? For a backup server I would not want more.',
        daysAgo: 150,
      },
      { author: 'dmitri-k', body: 'Later. The table has room for it.', daysAgo: 148 },
      { author: 'jpereira', body: 'Screens are done, scopes are checked in all file routes.', daysAgo: 13 },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 787,
    title: 'CSV-Import von Mitgliedern: Semikolon als Trennzeichen wird nicht erkannt',
    body: `Beim Einladen mehrerer Personen über eine CSV-Datei (Verwaltung > Mitglieder > Importieren) erscheint immer "Zeile 1: E-Mail-Adresse fehlt".

Unsere Tabellenkalkulation speichert CSV in der deutschen Einstellung mit Semikolon statt Komma. Ersetze ich die Semikolons im Editor durch Kommas, klappt der Import. Umlaute in Namen kommen aber auch dann falsch an (\`MÃ¼ller\`), obwohl die Datei mit UTF-8 und BOM gespeichert ist.

Erwartet: Trennzeichen wird erkannt (Komma, Semikolon, Tabulator), Umlaute bleiben erhalten.

Beispieldatei mit 4 Zeilen liegt dem Ticket bei.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'i18n', 'area:admin'],
    author: 'bgruber',
    assignees: ['jpereira'],
    state: 'closed',
    createdDaysAgo: 127,
    updatedDaysAgo: 115,
    comments: [
      {
        author: 'jpereira',
        body: 'Delimiter is detected from the first line now, BOM is respected.',
        daysAgo: 116,
      },
      { author: 'bgruber', body: 'Funktioniert, danke.', daysAgo: 115 },
    ],
    truth: {},
  },
  {
    number: 815,
    title: 'Audit event schema v2',
    body: `Every feature has written its own kind of audit entry so far. 74 event types, 11 spellings of "user id", no version.

New envelope for all of them:

\`\`\`json
{ "v": 2, "id": "...", "time": "...", "actor": { "type": "user", "id": "..." },
  "action": "link.create", "target": { "type": "file", "id": "..." }, "context": {}, "changes": [] }
\`\`\`

- [ ] types and a validator in \`packages/audit\`
- [ ] writers moved, module by module (sharing, links, identity, admin, billing)
- [ ] old rows are translated when read, not rewritten
- [ ] the page in Admin shows both
- [ ] documentation of all actions generated from the types

A test fails when a writer uses an action that is not in the list. About two weeks of work, can be done in pieces.`,
    type: 'task',
    priority: 'medium',
    labels: ['area:admin', 'tech-debt'],
    author: 'dmitri-k',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 89,
    updatedDaysAgo: 61,
    comments: [
      { author: 'jpereira', body: 'I can take links and sharing while I am in there.', daysAgo: 61 },
    ],
    truth: {},
  },
  {
    number: 843,
    title: 'Stream the audit log to a SIEM',
    body: `We have to keep audit data of all tools in one place, for two years. Now we export a CSV by hand every Monday.

Wanted: a webhook or syslog target (TLS), each event within a minute, retried for 24 hours when our side is down, with a sequence number so that we can prove that nothing is missing. JSON, documented, stable.

Several thousand events a day for 900 people.

*(pvarga: blocked by #815, we do not want to promise today's format to anybody.)*`,
    type: 'feature',
    priority: 'high',
    labels: ['enhancement', 'area:admin', 'customer'],
    author: 'samir-ops',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 51,
    updatedDaysAgo: 43,
    comments: [
      { author: 'pvarga', body: 'Enterprise plan. Webhook first, syslog if somebody insists.', daysAgo: 49 },
      { author: 'samir-ops', body: 'Webhook is enough for us.', daysAgo: 43 },
    ],
    truth: { blockedBy: ['skua/web#815'] },
  },
  {
    number: 871,
    title: 'More reports for administrators',
    body: `Admins want more reports and statistics.`,
    type: 'feature',
    priority: null,
    labels: ['area:admin'],
    author: 'lena-support',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 12,
    updatedDaysAgo: 10,
    comments: [{ author: 'pvarga', body: 'Which admins, which reports?', daysAgo: 10 }],
    truth: { quality: 'vague' },
  },
];
