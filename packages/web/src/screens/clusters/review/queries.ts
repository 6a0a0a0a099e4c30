import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReviewRequest, reviewNext, reviewSummary } from '@winnow/contract/cluster';
import { queryClient } from '../../../api/query/query-client.ts';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { download } from '../../../api/session/download.ts';
import { api } from '../../../api/session/session.ts';
import { clusterOptions } from '../../../features/clusters/queries.ts';
import { whenChangesSettle } from '../cluster-requests.ts';
import type { ReviewSession } from './session.ts';

/** Filters of a review as query parameters. */
function filtersOf({ since, projects, probability }: ReviewSession) {
  return { since, project_ids: projects, probability_threshold: probability ?? undefined };
}

/**
 * Query that claims the next cluster. `turn` is the number of clusters that the review has left
 * behind.
 */
export function nextClusterOptions(session: ReviewSession, turn: number) {
  const body: Partial<ReviewRequest> = {
    reviewer: session.reviewer,
    project_ids: session.projects,
    skipped: session.skipped,
    ...(session.probability === null ? {} : { probability_threshold: session.probability }),
  };
  return queryOptions({
    queryKey: queryKeys.clusterReview.turn(session.reviewer, turn),
    queryFn: async ({ signal }) => {
      // The server must know the last decision, or it offers the same cluster again.
      await whenChangesSettle();
      const next = await api('POST', '/clusters/review/next', { body, schema: reviewNext, signal });
      if (next.cluster !== null) {
        queryClient.setQueryData(clusterOptions(next.cluster.id).queryKey, next.cluster);
      }
      return next;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Numbers of a review, updated by live events. */
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
