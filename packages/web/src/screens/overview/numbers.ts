import type { DuplicateStats } from '@winnow/contract/duplicate';
import type { IssuesCount } from '@winnow/contract/issue';

const full = new Intl.NumberFormat('en');

/** Beyond this, the widget does not count. */
const MOST_COUNTED = 100;
/** How many projects the chart shows. */
const TOP_PROJECTS = 5;

/** A count in full, with separators. */
export function countText(count: number): string {
  return full.format(count);
}

/** A share from 0 to 1 in whole percent. */
export function wholePercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** How many pairs there are to decide about: exact up to 100, `100+` above. */
export function suggestionsCount(total: number): string {
  return total > MOST_COUNTED ? `${MOST_COUNTED}+` : String(total);
}

export type ProjectShare = { id: string; name: string; similar: number; unique: number; share: number };

/** The projects with the most similar issues, without those that have none. */
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

/** What keeps an empty list from being the last word; null when nothing does. */
export function pendingText({ total_issues, total_processed }: IssuesCount, syncing: boolean): string | null {
  const waiting = total_issues - total_processed;
  if (waiting > 0) {
    const verb = waiting === 1 ? 'issue is' : 'issues are';
    return `No similar issues yet: ${countText(waiting)} ${verb} still to be compared.`;
  }
  return syncing && total_issues === 0 ? 'No similar issues yet: the first ones are being read.' : null;
}

/** A share in whole percent for a chart: what is there is never rounded to nothing, nor what is missing to all. */
export function chartPercent(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return '<1%';
  return percent === 100 && share < 1 ? '99%' : `${percent}%`;
}
