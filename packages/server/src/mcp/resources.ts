import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { LONGEST_NAME } from '@winnow/contract/mcp';
import { issueWith } from '../agent-tools/issue-with.ts';
import { visible } from '../ai/fence.ts';
import { invalid } from '../platform/errors.ts';
import type { Principal } from '../platform/http/auth.ts';
import { mapTexts } from '../platform/text.ts';
import { duplicatesOf } from './duplicates-of-project.ts';
import { forReaders } from './failures.ts';
import type { McpServerOptions } from './server.ts';

/** Values offered while one is typed. */
const MOST_OFFERED = 20;
/** Projects whose duplicates are listed as resources. */
const MOST_LISTED = 100;
const JSON_TYPE = 'application/json';

/** Issues, and the likely duplicates of projects, as resources that an agent can be given. */
export function registerResources(
  server: McpServer,
  { services, log }: Pick<McpServerOptions, 'services' | 'log'>,
  principal: Principal,
): void {
  const { accountId } = principal;
  const readers = <T>(what: string, make: () => Promise<T>) => forReaders(principal, { what, log }, make);
  const offer = (what: string, typed: string, find: () => Promise<string[]>) =>
    readers(what, async () => (typed.length > LONGEST_NAME ? [] : find()));
  const asJson = async (uri: URL, make: () => Promise<object>) => ({
    contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(mapTexts(await make(), visible)) }],
  });

  server.registerResource(
    'issue',
    new ResourceTemplate('winnow://issue/{key}', {
      list: undefined,
      complete: {
        key: (typed) =>
          offer('issue completion', typed, async () => {
            const { hits } = await services.search.search(accountId, {
              query: typed,
              searchType: 'fulltext',
              itemTypes: ['issue'],
              status: 'all',
              projects: [],
              limit: MOST_OFFERED,
              skip: 0,
            });
            return hits.flatMap((hit) =>
              hit.itemType === 'issue' ? [encodeURIComponent(hit.issue.key)] : [],
            );
          }),
      },
    }),
    {
      title: 'Issue',
      description: 'An issue by its key, percent-encoded (acme%2Fweb%2312), with its comments.',
      mimeType: JSON_TYPE,
    },
    (uri, { key }) =>
      readers('issue', () => asJson(uri, () => issueWith(services, { accountId }, nameIn(key)))),
  );

  server.registerResource(
    'duplicates',
    new ResourceTemplate('winnow://project/{id}/duplicates', {
      list: () =>
        readers('resources', async () => ({
          resources: (await services.issues.projectNames(accountId))
            .slice(0, MOST_LISTED)
            .map(({ id, identifier }) => ({
              uri: `winnow://project/${id}/duplicates`,
              name: `Duplicates in ${identifier}`,
              mimeType: JSON_TYPE,
            })),
        })),
      complete: {
        id: (typed) =>
          offer('project completion', typed, async () =>
            (await services.issues.projectNames(accountId))
              .map(({ id }) => id)
              .filter((id) => id.startsWith(typed.toLowerCase()))
              .slice(0, MOST_OFFERED),
          ),
      },
    }),
    {
      title: 'Duplicates of a project',
      description:
        'Pairs of open issues of a project that look alike and are not resolved, the most similar first. list_projects names the ids of all projects.',
      mimeType: JSON_TYPE,
    },
    (uri, { id }) =>
      readers('duplicates', () => asJson(uri, () => duplicatesOf(services, accountId, nameIn(id)))),
  );
}

/** The name that stands percent-encoded in an address, without what no name has. 422 when it is too long for one. */
function nameIn(variable: string | string[] | undefined): string {
  const encoded = String(variable);
  const name = visible(decoded(encoded));
  if (name.length <= LONGEST_NAME) return name;
  throw invalid([{ path: 'uri', message: `A name has at most ${LONGEST_NAME} characters.` }]);
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
