import {
  type QueryClient,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import {
  type McpServer,
  type McpServerSave,
  type McpServerTest,
  mcpServer,
  mcpServerList,
  mcpServerTestResult,
} from '@winnow/contract/mcp-server';
import { queryKeys } from '../../api/query/query-keys.ts';
import { unlessGone } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';
import { useFlows } from '../flows/queries.ts';

/** Returns the MCP servers whose tools flows may use, with Winnow's own server first. */
export function useMcpServers() {
  return useQuery({
    queryKey: queryKeys.mcpServers.list(),
    queryFn: ({ signal }) => api('GET', '/mcp-servers', { schema: mcpServerList, signal }),
  });
}

/**
 * Invalidates the queries that a changed server affects. Waits only until the list of servers is
 * refetched, not for flows and presets.
 */
async function refreshAfterChange(cache: QueryClient): Promise<void> {
  for (const queryKey of [queryKeys.flows.all, queryKeys.flowPresets.list()]) {
    // Remove inactive queries, because a form keeps its initial values and must not open with
    // outdated ones.
    cache.removeQueries({ queryKey, type: 'inactive' });
    void cache.invalidateQueries({ queryKey });
  }
  await cache.invalidateQueries({ queryKey: queryKeys.mcpServers.all });
}

/** Request to save a server: creates a server, or replaces an existing one. */
export type SaveInput = { serverId: string | null; body: McpServerSave };

export function useSaveServer() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ serverId, body }: SaveInput) =>
      serverId === null
        ? api('POST', '/mcp-servers', { body, schema: mcpServer })
        : api('PUT', `/mcp-servers/${serverId}`, { body, schema: mcpServer }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

export function useDeleteServer() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: McpServer) => api('DELETE', `/mcp-servers/${id}`).catch(unlessGone),
    onSuccess: () => refreshAfterChange(cache),
  });
}

const CHECK_MUTATION_KEY = ['check-mcp-server'];

/**
 * Refreshes the tools of a server. Several servers can be checked at once. `isChecking` returns
 * true while the server with the given id is being checked.
 */
export function useCheckServer() {
  const cache = useQueryClient();
  const check = useMutation({
    mutationKey: CHECK_MUTATION_KEY,
    mutationFn: (serverId: string) => api('POST', `/mcp-servers/${serverId}/check`, { schema: mcpServer }),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.mcpServers.all }),
  });
  const checking = useMutationState({
    filters: { mutationKey: CHECK_MUTATION_KEY, status: 'pending' },
    select: ({ state }) => state.variables,
  });
  return { ...check, isChecking: (serverId: string) => checking.includes(serverId) };
}

/** Connects to a server with the unsaved values of the form, and lists its tools. */
export function useTestServer() {
  return useMutation({
    mutationFn: (body: McpServerTest) =>
      api('POST', '/mcp-servers/test', { body, schema: mcpServerTestResult }),
  });
}

/** Returns the names of the flows that may use tools of a server; undefined while loading. */
export function useFlowsUsing(server: McpServer | null): string[] | undefined {
  return useFlows()
    .data?.filter(({ allowed_mcp_servers }) => server !== null && allowed_mcp_servers.includes(server.name))
    .map(({ name }) => name);
}

/**
 * Returns the names of the flows that may use some tools of a server without approval; undefined
 * while loading.
 */
export function useFlowsAllowing(server: McpServer | null): string[] | undefined {
  return useFlows()
    .data?.filter(({ tool_policies }) =>
      Object.entries(tool_policies).some(
        ([tool, policy]) => server !== null && policy === 'allow' && tool.startsWith(`${server.name}/`),
      ),
    )
    .map(({ name }) => name);
}
