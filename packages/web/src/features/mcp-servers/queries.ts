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

/** The servers whose tools flows may use: our own first. */
export function useMcpServers() {
  return useQuery({
    queryKey: queryKeys.mcpServers.list(),
    queryFn: ({ signal }) => api('GET', '/mcp-servers', { schema: mcpServerList, signal }),
  });
}

/** Flows and presets follow what becomes of a server. The list of servers is waited for. */
async function refreshAfterChange(cache: QueryClient): Promise<void> {
  for (const queryKey of [queryKeys.flows.all, queryKeys.flowPresets.list()]) {
    // A form keeps what it was opened with, so none may open with how things were.
    cache.removeQueries({ queryKey, type: 'inactive' });
    void cache.invalidateQueries({ queryKey });
  }
  await cache.invalidateQueries({ queryKey: queryKeys.mcpServers.all });
}

/** What a save sends: a new server, or all of one that is there. */
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

/** Removes a server. */
export function useDeleteServer() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: McpServer) => api('DELETE', `/mcp-servers/${id}`).catch(unlessGone),
    onSuccess: () => refreshAfterChange(cache),
  });
}

const CHECK = ['check-mcp-server'];

/** Has servers asked for their tools again; several at once, each by its id. */
export function useCheckServer() {
  const cache = useQueryClient();
  const check = useMutation({
    mutationKey: CHECK,
    mutationFn: (serverId: string) => api('POST', `/mcp-servers/${serverId}/check`, { schema: mcpServer }),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.mcpServers.all }),
  });
  const checking = useMutationState({
    filters: { mutationKey: CHECK, status: 'pending' },
    select: ({ state }) => state.variables,
  });
  return { ...check, isChecking: (serverId: string) => checking.includes(serverId) };
}

/** Asks a server for its tools, with what is in the form. */
export function useTestServer() {
  return useMutation({
    mutationFn: (body: McpServerTest) =>
      api('POST', '/mcp-servers/test', { body, schema: mcpServerTestResult }),
  });
}

/** The names of the flows that may use a server's tools; undefined while that is not known. */
export function useFlowsUsing(server: McpServer | null): string[] | undefined {
  return useFlows()
    .data?.filter(({ allowed_mcp_servers }) => server !== null && allowed_mcp_servers.includes(server.name))
    .map(({ name }) => name);
}

/** The names of the flows for which somebody chose Allow for a server's tools; undefined while that is not known. */
export function useFlowsAllowing(server: McpServer | null): string[] | undefined {
  return useFlows()
    .data?.filter(({ tool_policies }) =>
      Object.entries(tool_policies).some(
        ([tool, policy]) => server !== null && policy === 'allow' && tool.startsWith(`${server.name}/`),
      ),
    )
    .map(({ name }) => name);
}
