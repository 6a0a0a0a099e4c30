import type { Pair } from '@winnow/contract/duplicate';
import type { IssueSummary } from '@winnow/contract/issue';

/** Number of pairs to load. This is the maximum page size of the server. */
export const MAX_PAIRS = 100;

/** An issue with the issue that is most likely its duplicate. */
export interface IssueWithDuplicate {
  issue: IssueSummary;
  other: IssueSummary;
  probability: number;
  pairId: string;
}

/**
 * Returns the issues of all pairs. Each issue is listed once, at the position of its first pair.
 */
export function issuesWithDuplicates(pairs: readonly Pair[]): IssueWithDuplicate[] {
  const byId = new Map<string, IssueWithDuplicate>();
  for (const { id: pairId, issue1, issue2, probability } of pairs) {
    for (const [issue, other] of [
      [issue1, issue2],
      [issue2, issue1],
    ] as const) {
      if (!byId.has(issue.id)) byId.set(issue.id, { issue, other, probability, pairId });
    }
  }
  return [...byId.values()];
}
