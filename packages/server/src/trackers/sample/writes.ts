import type { Updateable } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { SampleIssueTable } from '../../schema/sample-tables.ts';
import type { Db } from '../../schema/tables.ts';
import { carriesMarker, withMarker } from '../comment-marker.ts';
import {
  type IssueTarget,
  type IssueWrites,
  type Provider,
  type ProviderIssue,
  TrackerError,
} from '../provider.ts';
import { toIssue } from './map.ts';
import * as store from './store.ts';

/** Login of the user as whom the sample's writes are made. */
export const SAMPLE_LOGIN = 'you';

/** Methods that write to a sample backlog. */
export function sampleWrites({
  db,
  clock,
  owner,
}: {
  db: Db;
  clock: Clock;
  owner: store.SampleOwner;
}): IssueWrites & Pick<Provider, 'link' | 'unlink'> {
  /** Updates the columns of an issue to the result of `values`. */
  async function change(
    target: IssueTarget,
    values: (before: store.SampleIssueRow, at: Date) => Updateable<SampleIssueTable>,
    signal: AbortSignal,
  ): Promise<ProviderIssue> {
    signal.throwIfAborted();
    return store.write(db, owner, clock.now(), async (transaction, at) => {
      const { project, number } = issueRefOf(target);
      const before = await store.findIssue(transaction, owner, project, number);
      if (!before) throw issueNotFound(target);
      await store.updateIssue(transaction, owner, project, number, { ...values(before, at), updated_at: at });
      const after = await store.findIssue(transaction, owner, project, number);
      if (!after) throw issueNotFound(target);
      return toIssue(target.project, after);
    });
  }

  /** Verifies that both issues of a link exist, and changes their update times. */
  async function changeLink(
    ends: [IssueTarget, IssueTarget],
    work: (transaction: Db) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    await store.write(db, owner, clock.now(), async (transaction, at) => {
      for (const end of ends) {
        const { project, number } = issueRefOf(end);
        const known = await store.updateIssue(transaction, owner, project, number, { updated_at: at });
        if (!known) throw issueNotFound(end);
      }
      await work(transaction);
    });
  }

  return {
    edit(target, { title, description }, signal) {
      const values = {
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { body: description }),
      };
      return change(target, () => values, signal);
    },

    async assign(target, logins, signal) {
      signal.throwIfAborted();
      const people = new Set([SAMPLE_LOGIN, ...(await store.peopleOf(db, owner, target.project.identifier))]);
      const stranger = logins.find((login) => !people.has(login));
      if (stranger !== undefined) {
        throw new TrackerError('invalid', `${stranger} cannot be assigned in ${target.project.identifier}.`);
      }
      return change(target, () => ({ assignees: [...logins] }), signal);
    },

    changeLabels(target, { add, remove }, signal) {
      const values = ({ labels }: store.SampleIssueRow) => ({
        labels: [...new Set([...labels.filter((label) => !remove.includes(label)), ...add])],
      });
      return change(target, values, signal);
    },

    async create(project, { title, description, labels, assignees }, marker, signal) {
      signal.throwIfAborted();
      return store.write(db, owner, clock.now(), async (transaction, at) => {
        const values = {
          title,
          body: withMarker(description, marker),
          labels: [...labels],
          assignees: [...assignees],
          author: SAMPLE_LOGIN,
        };
        const number = await store.insertIssue(transaction, owner, project.identifier, values, at);
        const row = await store.findIssue(transaction, owner, project.identifier, number);
        if (!row) throw new Error('The inserted issue is missing.');
        return toIssue(project, row);
      });
    },

    async findCreated(project, marker, createdAfter, signal) {
      signal.throwIfAborted();
      const rows = await store.issuesSince(db, owner, project.identifier, createdAfter);
      const found = rows.find(({ body }) => carriesMarker(body, marker));
      return found === undefined ? null : toIssue(project, found);
    },

    async link(target, kind, other, signal) {
      if (kind === 'duplicates') throw onlyByClosing();
      const [blocker, blocked] = [issueRefOf(target), issueRefOf(other)];
      await changeLink(
        [target, other],
        (transaction) => store.insertLink(transaction, owner, blocker, blocked),
        signal,
      );
    },

    async unlink(target, kind, other, signal) {
      if (kind === 'duplicates') throw onlyByClosing();
      const [blocker, blocked] = [issueRefOf(target), issueRefOf(other)];
      await changeLink(
        [target, other],
        (transaction) => store.deleteLink(transaction, owner, blocker, blocked),
        signal,
      );
    },

    async comment(target, body, marker, signal) {
      signal.throwIfAborted();
      return store.write(db, owner, clock.now(), async (transaction, at) => {
        const issue = { project: target.project.identifier, number: numberOf(target) };
        const values = { updated_at: at };
        const known = await store.updateIssue(transaction, owner, issue.project, issue.number, values);
        if (!known) throw issueNotFound(target);
        return store.insertComment(transaction, owner, {
          ...issue,
          author: SAMPLE_LOGIN,
          body: withMarker(body, marker),
          at,
        });
      });
    },

    async findComment(target, marker, postedAfter, signal) {
      signal.throwIfAborted();
      const { identifier } = target.project;
      const comments = await store.commentsOf(db, owner, identifier, numberOf(target), postedAfter);
      return comments.find(({ body }) => carriesMarker(body, marker))?.id ?? null;
    },

    async deleteComment(target, commentExternalId, signal) {
      signal.throwIfAborted();
      const { identifier } = target.project;
      const number = numberOf(target);
      await store.write(db, owner, clock.now(), async (transaction, at) => {
        const deleted = await store.deleteComment(transaction, owner, identifier, number, commentExternalId);
        if (deleted) await store.updateIssue(transaction, owner, identifier, number, { updated_at: at });
      });
    },

    closeAsDuplicate(target, original, signal) {
      const values = (before: store.SampleIssueRow, at: Date) => ({
        state: 'closed' as const,
        state_reason: 'duplicate',
        duplicate_of: original.key,
        closed_at: before.closed_at ?? at,
      });
      return change(target, values, signal);
    },

    close(target, reason, signal) {
      const values = (before: store.SampleIssueRow, at: Date) => ({
        state: 'closed' as const,
        state_reason: reason,
        closed_at: before.closed_at ?? at,
      });
      return change(target, values, signal);
    },

    reopen(target, signal) {
      const values = {
        state: 'open',
        state_reason: 'reopened',
        duplicate_of: null,
        closed_at: null,
      } as const;
      return change(target, () => values, signal);
    },
  };
}

/** Returns the number of an issue. Returns 0, which no issue has, for an invalid external id. */
export function numberOf(target: IssueTarget): number {
  const number = Number(target.externalId);
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : 0;
}

export function issueRefOf(target: IssueTarget): store.SampleIssueRef {
  return { project: target.project.identifier, number: numberOf(target) };
}

export function issueNotFound(target: IssueTarget): TrackerError {
  return new TrackerError('not_found', `The sample backlog has no issue ${target.key}.`);
}

function onlyByClosing(): TrackerError {
  return new TrackerError(
    'unsupported',
    'The sample backlog links an issue to its original only by closing it.',
  );
}
