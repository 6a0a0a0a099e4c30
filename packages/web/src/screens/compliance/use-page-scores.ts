import { useScores } from './queries.ts';
import type { ShownScore } from './shown-score.ts';

/** Scores of the issues on a page. */
export type PageScores = {
  scoreOf: (issueId: string) => ShownScore;
  /** True while some scores are loading or being computed. */
  pending: boolean;
  /** Error of the request; null if it succeeded. */
  error: unknown;
  retrying: boolean;
  retry: () => void;
};

/**
 * Loads the scores of issues in one request, and polls until all are computed. Without a prompt,
 * the scores count as loading, or as failed if `hasNoPrompt` is true.
 */
export function usePageScores(
  promptId: string | null,
  issueIds: readonly string[],
  hasNoPrompt: boolean,
): PageScores {
  const { data, error, isFetching, isPending, refetch } = useScores(promptId, issueIds);
  const given = new Map(data?.results.map((result) => [result.issue_id, result]));
  const missing = error === null && !hasNoPrompt ? null : 'failed';
  return {
    scoreOf: (issueId) => given.get(issueId) ?? missing,
    pending:
      (isPending && !hasNoPrompt) || (data?.results.some(({ state }) => state === 'checking') ?? false),
    error,
    retrying: isFetching,
    retry: () => void refetch(),
  };
}
