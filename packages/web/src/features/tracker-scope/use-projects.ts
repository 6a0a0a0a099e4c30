import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { ConnectionTest, OrganizationChoice, ProjectChoice } from '@winnow/contract/tracker';
import { projectsQuery } from '../trackers/queries.ts';
import { runLimited } from './run-limited.ts';
import { type LoadedProjects, type ScopeOrganization, scopeKey } from './scope-selection.ts';
import type { ProjectsState } from './tree-rows.ts';

/** How many organizations are asked for their projects at once when all are. */
const LISTS_AT_ONCE = 4;

/** Credentials that passed the check, and what they see. */
export type CheckedConnection = {
  /** Stands for the credentials in cache keys; the same for as long as they are. */
  id: string;
  request: ConnectionTest;
  organizations: OrganizationChoice[];
  /** What the check said. */
  message: string;
};

function stateOf(result: { data: ProjectChoice[] | undefined; isFetching: boolean; error: unknown }) {
  if (result.data !== undefined) return { status: 'loaded', projects: result.data } as const;
  if (result.isFetching) return { status: 'loading' } as const;
  return result.error === null
    ? ({ status: 'idle' } as const)
    : { status: 'failed' as const, error: result.error };
}

/** The projects of the organizations; those that `isWanted` names are loaded, the others wait to be. */
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

  /** Loads one list unless it is there; a failure shows at its organization, so it is not thrown. */
  async function load(organization: ScopeOrganization): Promise<void> {
    await cache.fetchQuery(queryOf(organization)).catch(() => undefined);
  }

  /** What has arrived by now, which may be more than the last render knew. */
  function arrived(): LoadedProjects {
    return new Map(
      organizations.flatMap((organization): [string, ProjectChoice[]][] => {
        const list = cache.getQueryData<ProjectChoice[]>(queryOf(organization).queryKey);
        return list === undefined ? [] : [[scopeKey(organization.id), list]];
      }),
    );
  }

  /** Loads the lists of several organizations, a few at a time; `onProgress` hears how many have ended. */
  async function loadAll(wanted: readonly ScopeOrganization[], onProgress: (done: number) => void) {
    let done = 0;
    await runLimited(wanted, LISTS_AT_ONCE, async (organization) => {
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
