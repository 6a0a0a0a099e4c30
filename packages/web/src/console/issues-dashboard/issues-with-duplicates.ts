import type { Pair } from '@winnow/contract/duplicate';
import type { IssueSummary } from '@winnow/contract/issue';

/** As many as the server lists at once. */
export const PAIRS_ASKED = 100;

/** An issue, and the pair in which it is most like another one. */
export type IssueWithDuplicate = { issue: IssueSummary; pairId: string };

/** The issues of unresolved pairs, each once, in the order of its first pair: the most similar come first. */
export function issuesWithDuplicates(pairs: readonly Pair[]): IssueWithDuplicate[] {
  const byId = new Map<string, IssueWithDuplicate>();
  for (const { id, issue1, issue2, resolution } of pairs) {
    if (resolution !== null) continue;
    for (const issue of [issue1, issue2]) {
      if (!byId.has(issue.id)) byId.set(issue.id, { issue, pairId: id });
    }
  }
  return [...byId.values()];
}
