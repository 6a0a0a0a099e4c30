import { createHmac, randomUUID } from 'node:crypto';
import { isoSeconds } from '../http/clock.ts';
import { Deliveries } from '../http/deliveries.ts';
import { type Account, type Comment, fullName, type Hook, type Issue, type Repo } from './model.ts';
import { type Links, presentSimpleUser } from './present-account.ts';
import { presentComment, presentIssue } from './present-issue.ts';

/** A commit in a push event. */
export interface PushedCommit {
  id: string;
  message: string;
  timestamp: string;
}

/** Sends signed webhook requests for a repository, like GitHub. */
export class Webhooks {
  readonly deliveries = new Deliveries();
  #links: Links = { api: 'http://127.0.0.1', html: 'http://127.0.0.1' };

  /**
   * Sets the base URLs of links in webhook payloads. They are unknown until the emulator listens on
   * a port.
   */
  linkTo(links: Links): void {
    this.#links = links;
  }

  ping(repo: Repo, hook: Hook): void {
    this.#deliver(repo, hook, 'ping', { zen: 'Keep it logically awesome.', hook_id: hook.id });
  }

  /**
   * Notifies webhooks of an event of an issue or a pull request.
   * @param action such as `opened`, `edited`, `closed`, `labeled`
   */
  issue(issue: Issue, action: string, sender: Account): void {
    const shown = presentIssue(issue, this.#links, true);
    const [event, key] = issue.isPull ? ['pull_request', 'pull_request'] : ['issues', 'issue'];
    const more = issue.isPull
      ? { number: issue.number, pull_request: { ...shown, ...mergeOf(issue) } }
      : { [key]: shown };
    this.#send(issue.repo, event, { action, ...more, ...this.#about(issue.repo, sender) });
  }

  comment(comment: Comment, action: 'created' | 'edited' | 'deleted', sender: Account): void {
    const { issue } = comment;
    this.#send(issue.repo, 'issue_comment', {
      action,
      issue: presentIssue(issue, this.#links, true),
      comment: presentComment(comment, this.#links),
      ...this.#about(issue.repo, sender),
    });
  }

  push(repo: Repo, branch: string, commits: readonly PushedCommit[], sender: Account): void {
    this.#send(repo, 'push', {
      ref: `refs/heads/${branch}`,
      before: '0'.repeat(40),
      after: commits.at(-1)?.id ?? '0'.repeat(40),
      commits: commits.map((commit) => ({
        ...commit,
        distinct: true,
        url: '',
        author: { name: sender.login },
      })),
      head_commit: commits.at(-1) ?? null,
      pusher: { name: sender.login },
      ...this.#about(repo, sender),
    });
  }

  #about(repo: Repo, sender: Account) {
    const shown = { id: repo.id, name: repo.name, full_name: fullName(repo), private: repo.isPrivate };
    return {
      repository: { ...shown, default_branch: 'main', owner: presentSimpleUser(repo.owner, this.#links) },
      sender: presentSimpleUser(sender, this.#links),
    };
  }

  #send(repo: Repo, event: string, payload: object): void {
    for (const hook of repo.hooks) {
      if (hook.active && (hook.events.includes(event) || hook.events.includes('*'))) {
        this.#deliver(repo, hook, event, payload);
      }
    }
  }

  #deliver(repo: Repo, hook: Hook, event: string, payload: object): void {
    const body = JSON.stringify(payload);
    const signature =
      hook.secret === null ? null : createHmac('sha256', hook.secret).update(body).digest('hex');
    this.deliveries.send({
      hookId: hook.id,
      url: hook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/emulated',
        'x-github-delivery': randomUUID(),
        'x-github-event': event,
        'x-github-hook-id': String(hook.id),
        'x-github-hook-installation-target-type': 'repository',
        'x-github-hook-installation-target-id': String(repo.id),
        ...(signature === null ? {} : { 'x-hub-signature-256': `sha256=${signature}` }),
      },
      body,
    });
  }
}

/** Returns the fields of a webhook payload that only pull requests have. */
function mergeOf({ mergedMs }: Issue) {
  return {
    draft: false,
    merged: mergedMs !== null,
    merged_at: mergedMs === null ? null : isoSeconds(mergedMs),
  };
}
