import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ConnectionTest,
  connectionTestResult,
  projectChoice,
  type Tracker,
  type TrackerCreate,
  type TrackerUpdate,
  tracker,
  trackerWebhook,
} from '@winnow/contract/tracker';
import { queryKeys } from '../../api/query/query-keys.ts';
import { ApiError, sentenceOf, unlessGone } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { freeSampleName } from './sample-name.ts';

/**
 * Invalidates all queries for data of trackers. Waits only until the list of trackers is refetched.
 */
async function refreshAfterChange(cache: QueryClient): Promise<void> {
  for (const family of ['issues', 'pairs', 'usage'] as const) {
    void cache.invalidateQueries({ queryKey: queryKeys[family].all });
  }
  await cache.invalidateQueries({ queryKey: queryKeys.trackers.all });
}

/** Adds or updates a tracker. The server then starts a sync. */
export function useSaveTracker() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: { body: TrackerCreate } | { trackerId: string; body: TrackerUpdate }) =>
      'trackerId' in input
        ? api('PUT', `/trackers/${input.trackerId}`, { body: input.body, schema: tracker })
        : api('POST', '/trackers', { body: input.body, schema: tracker }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/**
 * Creates the sample tracker. Ignores the error of a name that is already taken: another tab has
 * just created the sample tracker.
 */
export function useCreateSample() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const taken = (cache.getQueryData<Tracker[]>(queryKeys.trackers.list()) ?? []).map(({ name }) => name);
      const body: TrackerCreate = { name: freeSampleName(taken), type: 'sample' };
      await api('POST', '/trackers', { body, schema: tracker }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.code === 'tracker_name_taken')) throw error;
      });
    },
    onSuccess: () => refreshAfterChange(cache),
  });
}

/** Deletes a tracker and all its data. */
export function useDeleteTracker() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Tracker) => api('DELETE', `/trackers/${id}`).catch(unlessGone),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/**
 * Starts a sync. The mutation is pending until the list of trackers shows the sync. Errors are
 * shown in a toast.
 */
export function useSyncTracker() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Tracker) => api('POST', `/trackers/${id}/sync`, { schema: tracker }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.trackers.all }),
    onError: (error, { id, name }) =>
      showToast({ id, kind: 'failed', text: `${name} could not be synced. ${sentenceOf(error)}` }),
  });
}

/**
 * Returns the settings for creating a webhook manually. The settings contain a secret, so they are
 * cached only while displayed.
 */
export function useTrackerWebhook(trackerId: string, enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.trackers.webhook(trackerId),
    queryFn: ({ signal }) => api('GET', `/trackers/${trackerId}/webhook`, { schema: trackerWebhook, signal }),
    enabled,
    gcTime: 0,
  });
}

/** Replaces the secret of a tracker's webhooks and shows the result. */
export function useReplaceWebhookSecret(trackerId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST', `/trackers/${trackerId}/webhook/rotate`, { schema: trackerWebhook }),
    onSuccess: (webhook) => cache.setQueryData(queryKeys.trackers.webhook(trackerId), webhook),
  });
}

/** Checks credentials and lists the organizations that they can access. */
export function useConnectionCheck() {
  return useMutation({
    mutationFn: (body: ConnectionTest) =>
      api('POST', '/trackers/test-and-list-orgs', { body, schema: connectionTestResult }),
  });
}

/**
 * Returns a query for the projects of one organization. Does not retry automatically: the error is
 * displayed with a way to retry.
 */
export function projectsQuery(connectionId: string, connection: ConnectionTest, organization: string) {
  return {
    queryKey: queryKeys.connections.projects(connectionId, organization),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api('POST', '/trackers/list-projects-for-org', {
        body: { ...connection, organization_identifier: organization },
        schema: projectChoice.array(),
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  };
}
