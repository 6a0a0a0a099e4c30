import type { Pair } from '@winnow/contract/duplicate';
import type { IssueSummary } from '@winnow/contract/issue';

/** As many as the server lists at once. */
export const PAIRS_ASKED = 100;

/** An issue, and the one that is most like it. */
export interface IssueWithDuplicate {
  issue: IssueSummary;
  other: IssueSummary;
  similarity: number;
  pairId: string;
}

/** The issues of pairs, each once, in the order of its first pair: the most similar come first. */
export function issuesWithDuplicates(pairs: readonly Pair[]): IssueWithDuplicate[] {
  const byId = new Map<string, IssueWithDuplicate>();
  for (const { id: pairId, issue1, issue2, similarity } of pairs) {
    for (const [issue, other] of [
      [issue1, issue2],
      [issue2, issue1],
    ] as const) {
      if (!byId.has(issue.id)) byId.set(issue.id, { issue, other, similarity, pairId });
    }
  }
  return [...byId.values()];
}
