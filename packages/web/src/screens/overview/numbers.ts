import type { DuplicateStats } from '@winnow/contract/duplicate';
import type { IssuesCount } from '@winnow/contract/issue';

const full = new Intl.NumberFormat('en');

/** Maximum number of suggestions that is displayed exactly. */
const MAX_EXACT_COUNT = 100;
/** Maximum number of projects in the chart. */
const TOP_PROJECTS = 5;

/** Formats a number with thousands separators. */
export function countText(count: number): string {
  return full.format(count);
}

/** Formats a share from 0 to 1 as a whole percentage. */
export function wholePercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Formats the number of pairs in the queue. A number above 100 reads `100+`. */
export function suggestionsCount(total: number): string {
  return total > MAX_EXACT_COUNT ? `${MAX_EXACT_COUNT}+` : String(total);
}

export type ProjectShare = { id: string; name: string; similar: number; unique: number; share: number };

/** Returns the projects with the most similar issues. Omits projects without similar issues. */
export function topProjects(projects: DuplicateStats['projects']): ProjectShare[] {
  return projects
    .filter(({ duplicates }) => duplicates > 0)
    .toSorted(
      (left, right) =>
        right.duplicates - left.duplicates || left.project_name.localeCompare(right.project_name),
    )
    .slice(0, TOP_PROJECTS)
    .map(({ project_id, project_name, duplicates, total }) => ({
      id: project_id,
      name: project_name,
      similar: duplicates,
      unique: Math.max(0, total - duplicates),
      share: total > 0 ? Math.min(1, duplicates / total) : 0,
    }));
}

/** Explains why an empty list of similar issues may be incomplete. Null if it is complete. */
export function pendingText({ total_issues, total_processed }: IssuesCount, syncing: boolean): string | null {
  const waiting = total_issues - total_processed;
  if (waiting > 0) {
    const verb = waiting === 1 ? 'issue is' : 'issues are';
    return `No similar issues yet: ${countText(waiting)} ${verb} still to be compared.`;
  }
  return syncing && total_issues === 0 ? 'No similar issues yet: the first issues are being read.' : null;
}

/**
 * Formats a share from 0 to 1 as a whole percentage. A partial share is never rounded to 0% or
 * 100%.
 */
export function chartPercent(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return '<1%';
  return percent === 100 && share < 1 ? '99%' : `${percent}%`;
}
