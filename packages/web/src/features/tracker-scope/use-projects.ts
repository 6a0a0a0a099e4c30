import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { ConnectionTest, OrganizationChoice, ProjectChoice } from '@winnow/contract/tracker';
import { projectsQuery } from '../trackers/queries.ts';
import { runLimited } from './run-limited.ts';
import { type LoadedProjects, type ScopeOrganization, scopeKey } from './scope-selection.ts';
import type { ProjectsState } from './tree-rows.ts';

/** Maximum concurrent requests while the projects of all organizations are loaded. */
const MAX_CONCURRENT_LISTS = 4;

/** Credentials that passed the connection check, with the organizations they can access. */
export type CheckedConnection = {
  /** Id that represents the credentials in cache keys. The same credentials have the same id. */
  id: string;
  request: ConnectionTest;
  organizations: OrganizationChoice[];
  /** Result message of the connection check. */
  message: string;
};

function stateOf(result: { data: ProjectChoice[] | undefined; isFetching: boolean; error: unknown }) {
  if (result.data !== undefined) return { status: 'loaded', projects: result.data } as const;
  if (result.isFetching) return { status: 'loading' } as const;
  return result.error === null
    ? ({ status: 'idle' } as const)
    : { status: 'failed' as const, error: result.error };
}

/**
 * Returns the loading state and projects of each organization. Loads the projects only of
 * organizations for which `isWanted` returns true.
 */
export function useProjects(
  connection: CheckedConnection,
  organizations: readonly ScopeOrganization[],
  isWanted: (key: string) => boolean,
) {
  const cache = useQueryClient();
  const queryOf = (organization: ScopeOrganization) =>
    projectsQuery(connection.id, connection.request, organization.id);
  const results = useQueries({
    queries: organizations.map((organization) => {
      const sent = connection.organizations.find(({ id }) => id === organization.id)?.children ?? [];
      return {
        ...queryOf(organization),
        enabled: isWanted(scopeKey(organization.id)),
        refetchOnWindowFocus: false,
        ...(sent.length > 0 ? { initialData: sent } : {}),
      };
    }),
  });
  const states = new Map<string, ProjectsState>();
  for (const [index, organization] of organizations.entries()) {
    const result = results[index];
    if (result !== undefined) states.set(scopeKey(organization.id), stateOf(result));
  }

  /**
   * Loads the projects of an organization unless cached. Never throws: errors are displayed beside
   * the organization.
   */
  async function load(organization: ScopeOrganization): Promise<void> {
    await cache.fetchQuery(queryOf(organization)).catch(() => undefined);
  }

  /**
   * Returns all loaded projects from the query cache, which may contain more than the last render.
   */
  function arrived(): LoadedProjects {
    return new Map(
      organizations.flatMap((organization): [string, ProjectChoice[]][] => {
        const list = cache.getQueryData<ProjectChoice[]>(queryOf(organization).queryKey);
        return list === undefined ? [] : [[scopeKey(organization.id), list]];
      }),
    );
  }

  /**
   * Loads the projects of several organizations with limited concurrency. `onProgress` receives the
   * number of organizations done.
   */
  async function loadAll(wanted: readonly ScopeOrganization[], onProgress: (done: number) => void) {
    let done = 0;
    await runLimited(wanted, MAX_CONCURRENT_LISTS, async (organization) => {
      await load(organization);
      done += 1;
      onProgress(done);
    });
    return arrived();
  }

  const loaded: LoadedProjects = new Map(
    [...states].flatMap(([key, state]) =>
      state.status === 'loaded' ? [[key, state.projects] as const] : [],
    ),
  );
  return { states, loaded, load, loadAll };
}
