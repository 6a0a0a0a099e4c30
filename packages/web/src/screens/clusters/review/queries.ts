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

/** Returns the filters of a review as query parameters. */
function filtersOf({ since, projects, probability }: ReviewSession) {
  return { since, project_ids: projects, probability_threshold: probability ?? undefined };
}

/**
 * Returns the query that claims the next cluster. `turn` is the number of clusters that the review
 * has left behind.
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
      // The server must know the last decision, or it offers the same cluster again.
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
    // Renews the claim while the page is visible.
    refetchInterval: CLAIM_RENEWAL_MS,
    refetchOnWindowFocus: false,
  });
}

/** Returns the counts of a review, updated by live events. */
export function useReviewSummary(session: ReviewSession) {
  const filters = filtersOf(session);
  return useQuery({
    queryKey: queryKeys.clusters.summary(filters),
    queryFn: ({ signal }) =>
      api('GET', '/clusters/review/summary', { query: filters, schema: reviewSummary, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Frees the claim of a review. Errors are ignored, since the claim expires by itself. */
export async function releaseClaim({ reviewer }: ReviewSession): Promise<void> {
  await api('POST', '/clusters/review/release', { body: { reviewer } }).catch(() => undefined);
}

const EXTENSIONS = { markdown: 'md', csv: 'csv' } as const;
/** File format of the summary. */
export type SummaryFormat = keyof typeof EXTENSIONS;

/** Downloads the summary of a review. */
export async function exportSummary(session: ReviewSession, format: SummaryFormat): Promise<void> {
  const query = { ...filtersOf(session), format };
  const name = `winnow-review.${EXTENSIONS[format]}`;
  await download({ path: '/clusters/review/summary/export', query, name });
}
