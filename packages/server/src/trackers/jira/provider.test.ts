import { simplifiedWorkflow } from '@winnow/emulators/jira/seed';
import { z } from 'zod';
import type { ProviderContext, TrackerUser } from '../testing/provider-suite/context.ts';
import { describeProvider } from '../testing/provider-suite.ts';
import { type EmulatedJira, type EmulatedJiraOptions, emulatedJira } from './testing/emulated-jira.ts';
import { backlog } from './testing/per-test.ts';
import { adfDocument, adfToMarkdown } from './text/adf.ts';
import { wikiToMarkdown } from './text/wiki.ts';

const marked = z.object({ winnow: z.object({ marker: z.string() }) });

/**
 * Appends a comment's marker to its text, as other trackers show it. Jira stores the marker in a
 * property.
 */
function shown(body: unknown, properties: unknown): string {
  const text = typeof body === 'string' ? wikiToMarkdown(body) : adfToMarkdown(adfDocument.parse(body));
  const { data } = marked.safeParse(properties);
  return data === undefined ? text : `${text}\n\n<!-- winnow:${data.winnow.marker} -->`;
}

function trackerUserOf({ emulator }: EmulatedJira): TrackerUser {
  const issues = () => emulator.issues('WIN');
  return {
    addIssue: async (title) => emulator.createIssue('WIN', { summary: title }).id,
    renameIssue: async (id, title) => {
      emulator.editAs('bob', id, { summary: title });
    },
    removeIssue: async (id) => emulator.deleteIssue(id),
    addComment: async (id, body) => emulator.commentAs('bob', id, body),
    titles: async () => new Map(issues().map((issue) => [issue.id, issue.summary])),
    comments: async () =>
      new Map(issues().flatMap((issue) => issue.comments.map(({ id }) => [id, issue.id]))),
    inspect: async (id) => {
      const issue = emulator.issue(id);
      const original = issue.links
        .find((link) => link.startsWith('duplicates '))
        ?.slice('duplicates '.length);
      return {
        isClosed: issue.category === 'done',
        duplicateOf: original ?? null,
        comments: issue.comments.map(({ body, properties }) => shown(body, properties)),
      };
    },
  };
}

async function contextWith(options: EmulatedJiraOptions): Promise<ProviderContext> {
  const jira = await emulatedJira(backlog(250), {
    ...options,
    seed: { users: [{ name: 'eve', assignable: false }] },
  });
  const isCloud = options.deployment !== 'data_center';
  return {
    provider: jira.provider,
    organization: jira.organization,
    project: jira.project,
    otherUser: trackerUserOf(jira),
    keyOf: (id) => jira.emulator.issue(id).key,
    people: { assignable: isCloud ? ['Ada Lovelace', 'Bob Stone'] : ['ada', 'bob'], outsider: 'Eve' },
    severalAssignees: false,
    links: { blocks: 'blocks', duplicates: 'duplicates' },
    requests: () => jira.emulator.requests.all().length,
    pass: jira.clock.pass,
    now: jira.clock.now,
    dispose: jira.dispose,
  };
}

describeProvider('Jira Cloud', () => contextWith({ timeZone: 'America/New_York' }));
// Jira's classic workflow cannot restore the previous status: it reopens an issue as "Reopened".
// The suite expects the previous status, so it uses the simplified workflow.
const dataCenter: EmulatedJiraOptions = {
  deployment: 'data_center',
  contextPath: '/jira',
  project: { workflow: simplifiedWorkflow },
};
describeProvider('Jira Data Center', () => contextWith(dataCenter));
