import type { SampleIssue } from './types.ts';

/** E-mails and notifications. */
export const webNotifications: SampleIssue[] = [
  {
    number: 637,
    title: 'One e-mail per file when a colleague uploads a folder',
    body: `When somebody adds a folder with 300 files to a space I follow, I get 300 e-mails, "Marta added IMG_0001.jpg" and so on. The mail server of our company has put Skua on its gray list for that.

Please collect what happens within ten minutes into one e-mail: "Marta added 300 files to Catalog", with the first ten names and a link to the rest. A daily summary would be welcome too.`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:notifications', 'customer'],
    author: 'yuki-t',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 331,
    updatedDaysAgo: 195,
    comments: [
      {
        author: 'jpereira',
        body: 'The mail job takes one event at a time. It needs a window per recipient and space.',
        daysAgo: 312,
      },
      {
        author: 'pvarga',
        body: 'Yes to the window, the daily summary is a separate decision.',
        daysAgo: 195,
      },
    ],
    truth: {},
  },
  {
    number: 749,
    title: 'Unsubscribe link in e-mails leads to 404',
    body: `\`https://app.skua.example/notifications/unsubscribe?t=...\` answers 404 since the move of the settings pages. The header \`List-Unsubscribe\` has the same address, so one-click unsubscribe in mail programs fails too, and that hurts our delivery rate.

Redirect the old path; accept POST without a session; add it to the smoke tests.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:notifications', 'regression'],
    author: 'lena-support',
    assignees: ['jpereira'],
    state: 'closed',
    createdDaysAgo: 179,
    updatedDaysAgo: 177,
    comments: [{ author: 'jpereira', body: 'Done, all three.', daysAgo: 177 }],
    truth: {},
  },
  {
    number: 771,
    title: 'E-mails show times in UTC',
    body: `通知メールの時刻が協定世界時のままで、日本では9時間ずれています。

The time in notification e-mails is UTC without saying so. For us in Tokyo a change at 17:30 is shown as 08:30, and people think somebody worked early in the morning. In the web app the times are right.

Please use the time zone of the profile, and write it behind the time.`,
    type: 'bug',
    priority: 'low',
    labels: ['bug', 'i18n', 'area:notifications'],
    author: 'yuki-t',
    assignees: ['noor-v'],
    state: 'closed',
    createdDaysAgo: 149,
    updatedDaysAgo: 142,
    comments: [
      { author: 'noor-v', body: 'Fixed: profile zone, abbreviation behind the time.', daysAgo: 142 },
    ],
    truth: {},
  },
  {
    number: 830,
    title: 'Notification settings per space',
    body: `## Goal
Members follow what matters to them and are left alone by the rest. 38 % of those who turn off all e-mails name "one noisy space" as the reason.

## Acceptance criteria
- [ ] The menu of a space has *Notifications*: everything, only what concerns me (mentions, shares, files I own), nothing.
- [ ] Default comes from the account settings; a change there does not overwrite what was set per space.
- [ ] Applies to e-mail, browser and desktop notifications.
- [ ] "Mute for 8 hours" ends by itself.
- [ ] E-mails name the setting they follow and link to it.

## Out of scope
Settings per folder; summaries.

## Approach
Table \`space_notification\` (member, space, level, muted_until), checked in the one place where recipients are chosen.

## Dependencies
None.

## Estimate
3 points`,
    type: 'feature',
    priority: 'medium',
    labels: ['enhancement', 'area:notifications'],
    author: 'noor-v',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 69,
    updatedDaysAgo: 47,
    comments: [
      {
        author: 'hana-s',
        body: 'The desktop client gets the recipients from the server already, nothing to do there.',
        daysAgo: 47,
      },
    ],
    truth: { quality: 'ready' },
  },
  {
    number: 833,
    title: '💌 Notifications wishlist 🙏',
    body: `Hi team 👋 we love Skua 💙 but the notifications... 😅

🔔 too many pings 🔔🔔🔔
📱 something on the phone would be 👌
🌙 quiet at night 😴
🎨 a nicer e-mail, ours look like from 1999 🦖
🎉 confetti when a project is finished 🥳 (ok, that one is a joke 😂)

Whatever you can do 🚀🚀 thank you 🙌💐`,
    type: 'feature',
    priority: null,
    labels: ['enhancement', 'area:notifications'],
    author: 'wendy-atelier',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 65,
    updatedDaysAgo: 63,
    comments: [
      { author: 'lena-support', body: 'Thank you 🙂 Which of these would help you most?', daysAgo: 63 },
    ],
    truth: { quality: 'vague' },
  },
];
