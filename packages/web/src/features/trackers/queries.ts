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

/** What came from a tracker is out of date when trackers come or go. The list itself is waited for. */
async function refreshAfterChange(cache: QueryClient): Promise<void> {
  for (const family of ['issues', 'pairs', 'usage'] as const) {
    void cache.invalidateQueries({ queryKey: queryKeys[family].all });
  }
  await cache.invalidateQueries({ queryKey: queryKeys.trackers.all });
}

/** Connects a tracker, or changes one; either starts a sync. */
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

/** Makes the sample backlog's tracker. When its name was taken since the list was read, another tab has made it: fine too. */
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

/** Removes a tracker and all that came from it. */
export function useDeleteTracker() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Tracker) => api('DELETE', `/trackers/${id}`).catch(unlessGone),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/** Starts a sync; it is pending until the list says so too. A failure is told in a toast. */
export function useSyncTracker() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Tracker) => api('POST', `/trackers/${id}/sync`, { schema: tracker }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.trackers.all }),
    onError: (error, { id, name }) =>
      showToast({ id, kind: 'failed', text: `${name} could not be synced. ${sentenceOf(error)}` }),
  });
}

/** What makes a webhook by hand; it holds a secret, so it is kept only for as long as it is shown. */
export function useTrackerWebhook(trackerId: string, enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.trackers.webhook(trackerId),
    queryFn: ({ signal }) => api('GET', `/trackers/${trackerId}/webhook`, { schema: trackerWebhook, signal }),
    enabled,
    gcTime: 0,
  });
}

/** Gives a tracker's webhooks another secret; what is shown of them is what came of it. */
export function useReplaceWebhookSecret(trackerId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST', `/trackers/${trackerId}/webhook/rotate`, { schema: trackerWebhook }),
    onSuccess: (webhook) => cache.setQueryData(queryKeys.trackers.webhook(trackerId), webhook),
  });
}

/** Checks credentials and lists the organizations they see. */
export function useConnectionCheck() {
  return useMutation({
    mutationFn: (body: ConnectionTest) =>
      api('POST', '/trackers/test-and-list-orgs', { body, schema: connectionTestResult }),
  });
}

/**
 * The query of one organization's projects. `connectionId` stands for the credentials, which have no place in a cache
 * key; it lives as long as the dialog. What a tracker refused is shown at once: the person can retry.
 */
export function projectsQuery(connectionId: string, connection: ConnectionTest, organization: string) {
  return {
    queryKey: ['connections', connectionId, organization] as const,
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
