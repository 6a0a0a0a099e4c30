import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import {
  CLAIM_MINUTES,
  type ReviewNext,
  type ReviewRequest,
  reviewNext,
  reviewSummary,
} from '@winnow/contract/cluster';
import { queryClient } from '../../../api/query/query-client.ts';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { download } from '../../../api/session/download.ts';
import { api } from '../../../api/session/session.ts';
import { clusterOptions } from '../../../features/clusters/queries.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';
import { whenChangesSettle } from '../cluster-requests.ts';
import type { ReviewSession } from './session.ts';

const CLAIM_RENEWAL_MS = (CLAIM_MINUTES / 2) * 60_000;

/** Converts the filters of a review to query parameters. */
function filtersOf({ since, projects, probability }: ReviewSession) {
  return { since, project_ids: projects, probability_threshold: probability ?? undefined };
}

/**
 * Returns the query that claims the next cluster of a review. `turn` is the number of clusters that
 * were decided or skipped before.
 */
export function nextClusterOptions(session: ReviewSession, turn: number) {
  const body: Partial<ReviewRequest> = {
    reviewer: session.reviewer,
    project_ids: session.projects,
    skipped: session.skipped,
    ...(session.probability === null ? {} : { probability_threshold: session.probability }),
  };
  const queryKey = queryKeys.clusterReview.turn(session.reviewer, turn);
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      // Wait until the server knows the last decision. Otherwise it would return the same cluster
      // again.
      await whenChangesSettle();
      const current = queryClient.getQueryData<ReviewNext>(queryKey)?.cluster ?? null;
      const next = await api('POST', '/clusters/review/next', {
        body: { ...body, current: current?.id },
        schema: reviewNext,
        signal,
      });
      if (current !== null && current.id !== next.cluster?.id) {
        const text = `${current.name} was decided or taken in another review. This is the next cluster.`;
        showToast({ id: current.id, kind: 'failed', text });
      }
      if (next.cluster !== null) {
        queryClient.setQueryData(clusterOptions(next.cluster.id).queryKey, next.cluster);
      }
      return next;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Refetching renews the claim while the page is visible.
    refetchInterval: CLAIM_RENEWAL_MS,
    refetchOnWindowFocus: false,
  });
}

/** Returns the numbers of a review. Live events update them. */
export function useReviewSummary(session: ReviewSession) {
  const filters = filtersOf(session);
  return useQuery({
    queryKey: queryKeys.clusters.summary(filters),
    queryFn: ({ signal }) =>
      api('GET', '/clusters/review/summary', { query: filters, schema: reviewSummary, signal }),
    placeholderData: keepPreviousData,
  });
}

/**
 * Releases the cluster that a review has claimed. Ignores errors, since the claim expires anyway.
 */
export async function releaseClaim({ reviewer }: ReviewSession): Promise<void> {
  await api('POST', '/clusters/review/release', { body: { reviewer } }).catch(() => undefined);
}

const EXTENSIONS = { markdown: 'md', csv: 'csv' } as const;
/** File format of an exported summary. */
export type SummaryFormat = keyof typeof EXTENSIONS;

/** Downloads the summary of a review. */
export async function exportSummary(session: ReviewSession, format: SummaryFormat): Promise<void> {
  const query = { ...filtersOf(session), format };
  const name = `winnow-review.${EXTENSIONS[format]}`;
  await download({ path: '/clusters/review/summary/export', query, name });
}
