/** A question that is asked often, and its answer. */
export interface FaqItem {
  q: string;
  a: string;
}

export const FAQ: readonly FaqItem[] = [
  {
    q: 'Do we have to move our issues?',
    a: 'No. Winnow reads from the tracker you use and writes your decisions back to it. Your issues stay where they are.',
  },
  {
    q: 'Which trackers are supported?',
    a: 'GitHub, on github.com and on GitHub Enterprise Server; GitLab, on gitlab.com and on your own server; Jira Cloud and Jira Data Center; and a sample backlog to look around in. Linear is coming soon.',
  },
  {
    q: 'What can Winnow change in our tracker?',
    a: 'Only what you decide. Closing a duplicate makes three writes: a comment on each of the two issues, and the close. You see all of them before the first one is made, and they stay in a ledger afterwards. A flow of yours proposes what it would write, unless you let it write by itself.',
  },
  {
    q: 'Can a decision be undone?',
    a: 'Yes. The issue is opened again and the comments are deleted, unless somebody has changed the issue since; then Winnow leaves it alone and says so.',
  },
  {
    q: 'Do we need an AI model, or a key for one?',
    a: 'No. A small embedding model runs on the machine that Winnow runs on, beside an exact comparison of words, and a built-in analyst judges the pairs. You can add a language model with a key of your own; until you do, no issue is sent to an AI service.',
  },
  {
    q: 'How does Winnow connect to our tracker, and is that safe?',
    a: 'With a permission-scoped API token that you make, and can revoke at any time. It is stored with industry-standard encryption (AES-256-GCM) and is never shown again. Connecting with OAuth comes later.',
  },
  {
    q: 'Can we run Winnow ourselves?',
    a: 'Yes. It is open source under Apache-2.0, starts with one command on Linux, macOS or Windows, and brings its own PostgreSQL, or uses yours.',
  },
];
