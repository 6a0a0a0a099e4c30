import type { ProviderContext, TrackerUser } from '../testing/provider-suite/context.ts';
import { describeProvider } from '../testing/provider-suite.ts';
import { type EmulatedGitLab, type EmulatedOptions, emulatedGitLab } from './testing/emulated-gitlab.ts';
import { backlog } from './testing/per-test.ts';

const path = 'acme/team/app';

function trackerUserOf({ emulator }: EmulatedGitLab): TrackerUser {
  const items = () => emulator.state().projects.find((project) => project.path === path)?.items ?? [];
  const idOf = ({ kind, iid }: { kind: string; iid: number }) => `${kind === 'issue' ? '' : '!'}${iid}`;
  return {
    addIssue: async (title) => String(emulator.createIssue(path, { title }).iid),
    renameIssue: async (id, title) => {
      emulator.editAs('bob', path, id, { title });
    },
    removeIssue: async (id) => emulator.deleteItem(path, id),
    addComment: async (id, body) => String(emulator.commentAs('bob', path, id, body).comments.at(-1)?.id),
    titles: async () => new Map(items().map((item) => [idOf(item), item.title])),
    comments: async () =>
      new Map(items().flatMap((item) => item.comments.map(({ id }) => [String(id), idOf(item)]))),
    inspect: async (id) => {
      const item = emulator.item(path, id);
      const comments = item.comments.map(({ body }) => body);
      return { isClosed: item.state === 'closed', duplicateOf: item.duplicate_of, comments };
    },
  };
}

async function contextWith(
  options: EmulatedOptions,
  rest: Partial<ProviderContext> = {},
): Promise<ProviderContext> {
  const gitlab = await emulatedGitLab(backlog(250), {
    mergeRequests: backlog(120, 'merge request'),
    seed: { users: [{ username: 'eve' }] },
    ...options,
  });
  return {
    provider: gitlab.provider,
    organization: 'acme/team',
    project: gitlab.project,
    otherUser: trackerUserOf(gitlab),
    keyOf: (id) => `${path}${id.startsWith('!') ? '' : '#'}${id}`,
    people: { assignable: ['ada', 'bob'], outsider: 'eve' },
    links: { blocks: 'blocks', duplicates: 'related' },
    requests: () => gitlab.emulator.requests.all().length,
    listings: 2,
    pass: gitlab.clock.pass,
    now: gitlab.clock.now,
    dispose: gitlab.dispose,
    ...rest,
  };
}

describeProvider('GitLab', () => contextWith({}));
describeProvider('GitLab free, behind a proxy that drops ETags', () =>
  contextWith(
    { tier: 'free', etags: false },
    { severalAssignees: false, links: { blocks: 'related', duplicates: 'related' } },
  ),
);
