/** A frequently asked question and its answer. */
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
    a: 'GitHub, on github.com and on GitHub Enterprise Server; GitLab, on gitlab.com and on your own server; Jira Cloud and Jira Data Center; and a sample backlog to explore. Linear is coming soon.',
  },
  {
    q: 'What can Winnow change in our tracker?',
    a: 'Only what you decide. Closing a duplicate makes three writes: a comment on each of the two issues, and the close. You see all of them before the first one is made, and they stay on record afterwards. Your flows only propose changes, unless you let a flow write directly.',
  },
  {
    q: 'Can a decision be undone?',
    a: 'Yes. The issue is reopened and the comments are deleted. If someone has changed the issue in the meantime, Winnow leaves it alone and tells you.',
  },
  {
    q: 'Do we need an AI model, or a key for one?',
    a: 'No. Winnow compares words exactly, runs a small embedding model on its own machine, and has a built-in analyst that judges the pairs. You can add a language model with your own key. Until you do, no issue is sent to an AI service.',
  },
  {
    q: 'How does Winnow connect to our tracker, and is that safe?',
    a: 'With a permission-scoped API token that you create and can revoke at any time. It is stored with industry-standard encryption (AES-256-GCM) and is never shown again. OAuth will follow later.',
  },
  {
    q: 'Can we run Winnow ourselves?',
    a: 'Yes. It is open source under Apache-2.0 and starts with one command on Linux, macOS or Windows. It includes PostgreSQL, or uses yours.',
  },
];
