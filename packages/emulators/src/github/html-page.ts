import { isoSeconds } from '../http/clock.ts';
import { fullName, type Issue } from './model.ts';
import type { Store } from './store.ts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);
}

function block(who: string, ms: number, text: string | null): string {
  const body =
    text === null || text === '' ? '<i>No description provided.</i>' : `<pre>${escapeHtml(text)}</pre>`;
  return `<article><p><b>${escapeHtml(who)}</b> · ${isoSeconds(ms)}</p>${body}</article>`;
}

function stateLine(issue: Issue): string {
  if (issue.state === 'open') return 'Open';
  const original = issue.duplicateOf
    ? ` of ${fullName(issue.duplicateOf.repo)}#${issue.duplicateOf.number}`
    : '';
  return `Closed${issue.stateReason === null ? '' : ` as ${issue.stateReason.replace('_', ' ')}${original}`}`;
}

/**
 * Renders a simple HTML page for the `html_url` of an issue. Links then work when Winnow is tried
 * manually. The page is public.
 *
 * @returns null if the path does not belong to an existing issue
 */
export function issuePage(store: Store, path: string): string | null {
  const [, owner, name, number] = /^\/([^/]+)\/([^/]+)\/(?:issues|pull)\/(\d+)$/.exec(path) ?? [];
  if (owner === undefined || name === undefined) return null;
  const issue = store.repo(owner, name)?.byNumber.get(Number(number));
  if (!issue) return null;
  const title = `${escapeHtml(issue.title)} #${issue.number}`;
  const labels = issue.labels.map((label) => `<code>${escapeHtml(label.name)}</code>`).join(' ');
  const comments = issue.comments.map((comment) =>
    block(comment.user.login, comment.createdMs, comment.body),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
article{border:1px solid #8888;border-radius:6px;padding:0 1rem;margin:1rem 0}pre{white-space:pre-wrap;font:inherit}
</style></head><body><main><p>${escapeHtml(fullName(issue.repo))}, GitHub emulator</p><h1>${title}</h1>
<p><b>${stateLine(issue)}</b> ${labels}</p>${block(issue.user.login, issue.createdMs, issue.body)}
${comments.join('\n')}</main></body></html>`;
}
