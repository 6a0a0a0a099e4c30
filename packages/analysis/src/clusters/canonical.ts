/** The fields of an issue that decide whether it becomes the canonical issue of its cluster. */
export interface CanonicalCandidate {
  id: string;
  key: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  isClosed: boolean;
  /** True if a merged change fixes this issue, or if the tracker closed it as completed. */
  isFixed: boolean;
  /** True if the tracker or a person's decision marks this issue as a duplicate. */
  isDuplicate: boolean;
  isLocked: boolean;
  reactions: number;
  comments: number;
  participants: number;
  /** Name of its milestone, or null. */
  milestone: string | null;
  /** True if the text of the issue describes how to reproduce the problem; see `readFacts`. */
  hasSteps: boolean;
}

/** The proposed canonical issue of a cluster. */
export interface CanonicalProposal {
  /** Id of the issue; null if no issue qualifies. */
  id: string | null;
  /** Reasons in short sentences. */
  reasons: string[];
  /** Issues that cannot be canonical, with the reason as a sentence. */
  excluded: { id: string; reason: string }[];
}

/**
 * An issue has clearly more engagement than another if both hold: its engagement reaches this
 * minimum, and this multiple of the other issue's.
 */
const MIN_ENGAGEMENT = 5;
const MIN_ENGAGEMENT_RATIO = 2;

/**
 * Proposes the canonical issue of a cluster. This is the oldest open issue, unless another open
 * issue has an advantage.
 *
 * Advantages are a fix, a milestone, clearly more engagement, and steps to reproduce, in this
 * order. If no issue is open, the same rule applies to issues closed with a fix. Never proposes a
 * duplicate or a locked issue. Deterministic.
 */
export function proposeCanonical(candidates: readonly CanonicalCandidate[]): CanonicalProposal {
  const ordered = candidates.toSorted(compareAge);
  const excluded = ordered.flatMap((issue) => {
    const reason = exclusionOf(issue);
    return reason === null ? [] : [{ id: issue.id, reason }];
  });
  const eligible = ordered.filter((issue) => exclusionOf(issue) === null);
  const oldest = eligible.find(({ isClosed }) => !isClosed) ?? eligible[0];
  if (oldest === undefined) {
    return { id: null, reasons: ['No issue of the cluster can be the canonical one.'], excluded };
  }
  const { issue, advantage } = replacementOf(oldest, eligible) ?? { issue: oldest, advantage: null };
  return { id: issue.id, reasons: reasonsFor(issue, oldest, advantage), excluded };
}

function compareAge(one: CanonicalCandidate, other: CanonicalCandidate): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

function exclusionOf({ key, isClosed, isFixed, isDuplicate, isLocked }: CanonicalCandidate): string | null {
  if (isDuplicate) return `${key} is a duplicate itself.`;
  if (isLocked) return `${key} is locked.`;
  return isClosed && !isFixed ? `${key} is closed without a fix.` : null;
}

interface Replacement {
  issue: CanonicalCandidate;
  /** The issue's advantage over the oldest issue, as a sentence. */
  advantage: string;
}

/** Finds the issue with the strongest advantage over the oldest issue; null if no issue has one. */
function replacementOf(
  oldest: CanonicalCandidate,
  eligible: readonly CanonicalCandidate[],
): Replacement | null {
  // An issue never replaces an issue that has a stronger advantage.
  let rivals = eligible.filter((issue) => issue !== oldest && issue.isClosed === oldest.isClosed);
  if (!oldest.isFixed) {
    const issue = rivals.find(({ isFixed }) => isFixed);
    if (issue !== undefined) return { issue, advantage: `It has a fix, and ${oldest.key} has none.` };
  } else rivals = rivals.filter(({ isFixed }) => isFixed);
  if (oldest.milestone === null) {
    const issue = rivals.find(({ milestone }) => milestone !== null);
    if (issue !== undefined) {
      return {
        issue,
        advantage: `It is planned for “${issue.milestone}”, and ${oldest.key} has no milestone.`,
      };
    }
  } else rivals = rivals.filter(({ milestone }) => milestone !== null);
  const engaged = rivals.filter((issue) => isClearlyMoreEngaged(issue, oldest));
  const [most] = engaged.toSorted((one, other) => engagementOf(other) - engagementOf(one));
  if (most !== undefined) {
    const advantage = `It has ${countsOf(most)}, and ${oldest.key} has ${countsOf(oldest)}.`;
    return { issue: most, advantage };
  }
  rivals = rivals.filter((issue) => !isClearlyMoreEngaged(oldest, issue));
  // Steps to reproduce are compared last, because finding them may require parsing the texts.
  if (rivals.length === 0 || oldest.hasSteps) return null;
  const reproduced = rivals.find((issue) => issue.hasSteps);
  if (reproduced === undefined) return null;
  return {
    issue: reproduced,
    advantage: `It says how to reproduce the problem, and ${oldest.key} does not.`,
  };
}

function engagementOf({ reactions, comments, participants }: CanonicalCandidate): number {
  return reactions + comments + participants;
}

function isClearlyMoreEngaged(one: CanonicalCandidate, other: CanonicalCandidate): boolean {
  const engagement = engagementOf(one);
  return engagement >= MIN_ENGAGEMENT && engagement >= MIN_ENGAGEMENT_RATIO * engagementOf(other);
}

function countsOf({ reactions, comments, participants }: CanonicalCandidate): string {
  const counts = [
    counted(reactions, 'reaction'),
    counted(comments, 'comment'),
    counted(participants, 'participant'),
  ].filter((count) => count !== null);
  const last = counts.pop();
  if (last === undefined) return 'no reactions or comments';
  return counts.length === 0 ? last : `${counts.join(', ')} and ${last}`;
}

function counted(count: number, unit: string): string | null {
  if (count === 0) return null;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

function reasonsFor(
  issue: CanonicalCandidate,
  oldest: CanonicalCandidate,
  advantage: string | null,
): string[] {
  const age = issue.isClosed ? 'It is closed with a fix.' : 'It is open.';
  if (advantage !== null) return [advantage, age];
  if (issue.isClosed) return ['No open issue can be the canonical one.', 'It is the oldest with a fix.'];
  const facts = [
    issue.isFixed ? 'It has a fix.' : null,
    issue.milestone === null ? null : `It is planned for “${issue.milestone}”.`,
    oldest.hasSteps ? 'It says how to reproduce the problem.' : null,
  ];
  return ['It is the oldest open issue.', ...facts.filter((fact) => fact !== null)];
}
