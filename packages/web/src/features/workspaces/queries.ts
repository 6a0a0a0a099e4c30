import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  joinableList,
  type WorkspacePatch,
  workspace,
  workspaceList,
  workspaceSettings,
} from '@winnow/contract/workspace';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Query for the selected workspace, with the user's role. */
const workspaceOptions = queryOptions({
  queryKey: queryKeys.workspace.current(),
  queryFn: ({ signal }) => api('GET', '/workspace', { schema: workspaceSettings, signal }),
  staleTime: 5 * 60_000,
});

export function useWorkspace() {
  return useQuery(workspaceOptions);
}

/** Loads the workspaces of the user, the personal one first. */
export function useWorkspaces() {
  return useQuery({
    queryKey: queryKeys.workspace.list(),
    queryFn: ({ signal }) => api('GET', '/workspaces', { schema: workspaceList, signal }),
    staleTime: 5 * 60_000,
  });
}

/** Loads the workspaces that the user can join by the domain of the confirmed address. */
export function useJoinableWorkspaces() {
  return useQuery({
    queryKey: queryKeys.workspace.joinable(),
    queryFn: ({ signal }) => api('GET', '/workspaces/joinable', { schema: joinableList, signal }),
  });
}

export function useJoinWorkspace() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (workspaceId: string) => api('POST', `/workspaces/${workspaceId}/join`),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.workspace.all }),
  });
}

export function useCreateWorkspace() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api('POST', '/workspaces', { body: { name }, schema: workspace }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.workspace.all }),
  });
}

/** Changes the name or the rules of the selected workspace. */
export function useChangeWorkspace() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: WorkspacePatch) => api('PATCH', '/workspace', { body, schema: workspaceSettings }),
    onSuccess: (changed) => {
      cache.setQueryData(workspaceOptions.queryKey, changed);
      return cache.invalidateQueries({ queryKey: queryKeys.workspace.all });
    },
  });
}
