import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { MAX_NAME_CHARS } from '@winnow/contract/mcp';
import { readIssueDetail } from '../agent-tools/index.ts';
import { visible } from '../ai/index.ts';
import { invalid } from '../platform/errors.ts';
import type { Principal } from '../platform/http/auth.ts';
import { mapTexts } from '../platform/text.ts';
import { listProjectDuplicates } from './project-duplicates.ts';
import { forReaders } from './read-access.ts';
import type { McpServerOptions } from './server.ts';

/** Maximum number of values suggested to complete an argument. */
const MAX_COMPLETIONS = 20;
/** Maximum number of projects listed as resources. */
const MAX_LISTED_PROJECTS = 100;
const JSON_TYPE = 'application/json';
const ISSUE_TEMPLATE = 'winnow://issue/{key}';
const DUPLICATES_TEMPLATE = 'winnow://project/{id}/duplicates';
/** Names of the variables of each URI template, by template. */
export const TEMPLATE_VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  [ISSUE_TEMPLATE, ['key']],
  [DUPLICATES_TEMPLATE, ['id']],
]);

/** Registers the MCP resources: issues, and the likely duplicates of each project. */
export function registerResources(
  server: McpServer,
  { services, log }: Pick<McpServerOptions, 'services' | 'log'>,
  principal: Principal,
): void {
  const { accountId } = principal;
  const readers = <T>(what: string, make: () => Promise<T>) => forReaders(principal, { what, log }, make);
  const offer = (what: string, typed: string, find: () => Promise<string[]>) =>
    readers(what, async () => (typed.length > MAX_NAME_CHARS ? [] : find()));
  const asJson = async (uri: URL, make: () => Promise<object>) => ({
    contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(mapTexts(await make(), visible)) }],
  });

  server.registerResource(
    'issue',
    new ResourceTemplate(ISSUE_TEMPLATE, {
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
              limit: MAX_COMPLETIONS,
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
      description: 'One issue with its comments, by percent-encoded key (acme%2Fweb%2312).',
      mimeType: JSON_TYPE,
    },
    (uri, { key }) =>
      readers('issue', () => asJson(uri, () => readIssueDetail(services, { accountId }, nameIn(key)))),
  );

  server.registerResource(
    'duplicates',
    new ResourceTemplate(DUPLICATES_TEMPLATE, {
      list: () =>
        readers('resources', async () => ({
          resources: (await services.issues.projectNames(accountId))
            .slice(0, MAX_LISTED_PROJECTS)
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
              .slice(0, MAX_COMPLETIONS),
          ),
      },
    }),
    {
      title: 'Likely duplicates in a project',
      description:
        'Unresolved pairs of open issues in a project that are likely duplicates, most probable first; at most 50. list_projects lists the project ids.',
      mimeType: JSON_TYPE,
    },
    (uri, { id }) =>
      readers('duplicates', () => asJson(uri, () => listProjectDuplicates(services, accountId, nameIn(id)))),
  );
}

/**
 * Decodes a name in a URI, and removes invisible characters.
 * @throws {AppError} `invalid` if the name is too long
 */
function nameIn(variable: string | string[] | undefined): string {
  const encoded = String(variable);
  const name = visible(decoded(encoded));
  if (name.length <= MAX_NAME_CHARS) return name;
  throw invalid([{ path: 'uri', message: `A name has at most ${MAX_NAME_CHARS} characters.` }]);
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
