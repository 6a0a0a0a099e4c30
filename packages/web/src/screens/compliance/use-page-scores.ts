import { useScores } from './queries.ts';
import type { ShownScore } from './shown-score.ts';

/** The scores of a page of issues. */
export type PageScores = {
  scoreOf: (issueId: string) => ShownScore;
  /** More are to come. */
  pending: boolean;
  /** Why they could not be had; null when nothing went wrong. */
  error: unknown;
  retrying: boolean;
  retry: () => void;
};

/**
 * Asks for the scores of these issues in one call, and follows them until all are there. Null waits
 * for the prompt, unless it is known that none can be had.
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
