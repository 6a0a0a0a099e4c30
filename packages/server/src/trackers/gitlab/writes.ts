import { carriesMarker, withMarker } from '../comment-marker.ts';
import { type IssueWrites, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { aboutProject, projectPath } from './api-paths.ts';
import { closeAsDuplicate } from './close-as-duplicate.ts';
import type { ItemCalls } from './item-calls.ts';
import { unlinkOriginal } from './links.ts';
import { readAll } from './listing.ts';
import { type WireItem, wireItem } from './map.ts';
import { deleteNote, findNote, postNote } from './notes.ts';
import { assigneeIds, notChanged, requireAssigned } from './people.ts';
import { withoutQuickActions } from './quick-actions.ts';

/** Maximum difference assumed between GitLab's clock and ours when searching for created items. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/** Methods that write to issues and merge requests, except those for links. */
export function gitLabWrites(client: RestClient, items: ItemCalls): IssueWrites {
  return {
    async edit(target, { title, description }, signal) {
      const body = {
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description: withoutQuickActions(description) }),
      };
      return items.asTarget(target, await items.put(target, body, signal), signal);
    },

    async assign(target, logins, signal) {
      const { assignees } = await items.get(target, signal);
      const ids = await assigneeIds(client, target.project, assignees, logins, signal);
      const wire = await items.put(target, { assignee_ids: ids.length === 0 ? [0] : ids }, signal);
      requireAssigned(client, target, wire, ids);
      return items.asTarget(target, wire, signal);
    },

    async changeLabels(target, { add, remove }, signal) {
      requireLabels([...add, ...remove]);
      if (add.length === 0 && remove.length === 0) {
        return items.asTarget(target, await items.get(target, signal), signal);
      }
      const body = {
        ...(add.length === 0 ? {} : { add_labels: add.join(',') }),
        ...(remove.length === 0 ? {} : { remove_labels: remove.join(',') }),
      };
      const issue = await items.asTarget(target, await items.put(target, body, signal), signal);
      const isDone =
        add.every((label) => issue.labels.includes(label)) &&
        !remove.some((label) => issue.labels.includes(label));
      if (!isDone) throw notChanged(client, target, 'labels');
      return issue;
    },

    async create(project, { title, description, labels, assignees }, marker, signal) {
      requireLabels(labels);
      const body = {
        title,
        description: withMarker(withoutQuickActions(description), marker),
        labels: labels.join(','),
        assignee_ids: await assigneeIds(client, project, [], assignees, signal),
      };
      return items.asIssue(project, 'issues', await items.post(project, body, signal), signal);
    },

    async findCreated(project, marker, createdAfter, signal) {
      const query = {
        scope: 'all',
        order_by: 'created_at',
        sort: 'asc',
        created_after: before(createdAfter).toISOString(),
      };
      const call = { path: `${projectPath(project)}/issues`, query, ...aboutProject(project) };
      const isIt = ({ description }: WireItem) => carriesMarker(description ?? '', marker);
      const found = await readAll(client, wireItem, call, signal, (page) => page.some(isIt));
      const made = found.find(isIt);
      return made === undefined ? null : items.asIssue(project, 'issues', made, signal);
    },

    comment: (target, body, marker, signal) => postNote(client, target, body, marker, signal),

    findComment: (target, marker, postedAfter, signal) =>
      findNote(client, target, marker, before(postedAfter), signal),

    deleteComment: (target, commentExternalId, signal) =>
      deleteNote(client, target, commentExternalId, signal),

    async closeAsDuplicate(target, original, signal) {
      const wire = await closeAsDuplicate(client, items, target, original, signal);
      return items.asTarget(target, wire, signal);
    },

    async close(target, _reason, signal) {
      return items.asTarget(target, await items.put(target, { state_event: 'close' }, signal), signal);
    },

    async reopen(target, signal) {
      await unlinkOriginal(client, target, await items.get(target, signal), signal);
      return items.asTarget(target, await items.put(target, { state_event: 'reopen' }, signal), signal);
    },
  };
}

function before(time: Date): Date {
  return new Date(time.getTime() - CLOCK_DIFFERENCE_MS);
}

/**
 * Refuses a label that contains a comma, because GitLab separates labels by commas.
 * @throws {TrackerError} `invalid` for such a label
 */
function requireLabels(labels: readonly string[]): void {
  const wrong = labels.find((label) => label.includes(','));
  if (wrong === undefined) return;
  throw new TrackerError('invalid', `"${wrong}" cannot be a label in GitLab: it contains a comma.`);
}
