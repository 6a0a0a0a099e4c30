import type { IssueReference, NamedTracker, Organization, Project } from '@winnow/contract/issue';
import { TRACKER_TYPES, type TrackerType } from '@winnow/contract/tracker';
import { splitIssueKey } from './issue-key-parts.ts';

/**
 * A tracker, displayed to distinguish projects with the same name. `label` includes the tracker
 * type, such as `Mirror (GitLab)`.
 */
export type ShownTracker = NamedTracker & { label: string };

/** Returns the name of a tracker with its type, such as `Mirror (GitLab)`. */
function trackerLabel({ name, type }: NamedTracker): string {
  return `${name} (${TRACKER_TYPES[type].label})`;
}

/**
 * Returns the tracker of a project whose name or key also exists in another tracker. Null for any
 * other project, and for an unknown project.
 */
export type NamesakeLookup = (projectId: string | null | undefined) => ShownTracker | null;

/**
 * Caches the lookup functions by project list, because every row of a list requests the same one.
 */
const lookupsByList = new WeakMap<readonly Project[], NamesakeLookup>();

/**
 * Returns a function that looks up the tracker of a project. It finds only projects whose names or
 * keys also exist in another tracker.
 */
export function namesakeLookup(projects: readonly Project[]): NamesakeLookup {
  const places = lookupsByList.get(projects) ?? makePlaces(projects);
  lookupsByList.set(projects, places);
  return places;
}

function makePlaces(projects: readonly Project[]): NamesakeLookup {
  const shared = new Map(
    projects
      .filter(({ has_namesake }) => has_namesake)
      .map(({ id, tracker_name: name, tracker_type: type }) => [
        id,
        { name, type, label: trackerLabel({ name, type }) },
      ]),
  );
  return (projectId) => (projectId == null ? null : (shared.get(projectId) ?? null));
}

/**
 * Appends the tracker to a name, such as `acme/web#12 in Mirror (GitLab)`. Returns the name
 * unchanged if `tracker` is null.
 */
export function withTracker(name: string, tracker: ShownTracker | null): string {
  return tracker === null ? name : `${name} in ${tracker.label}`;
}

/** The fields of an issue that distinguish it from one with the same key. */
export type PlacedIssue = Pick<IssueReference, 'key' | 'project_id' | 'tracker'>;

/**
 * Returns the key of an issue for a sentence that also contains the key of `other`. Adds the
 * tracker if the keys look as if both issues were in one project.
 */
export function keyBeside(issue: PlacedIssue, other: PlacedIssue): string {
  return issue.tracker !== null && isNamesake(issue, other)
    ? `${issue.key} in ${trackerLabel(issue.tracker)}`
    : issue.key;
}

/**
 * True if two issues belong to different projects although the project part of their keys is the
 * same.
 */
export function isNamesake(
  issue: Pick<PlacedIssue, 'key' | 'project_id'>,
  other: Pick<PlacedIssue, 'key' | 'project_id'>,
): boolean {
  const projectOf = (key: string) => {
    const { owner, project } = splitIssueKey(key);
    return `${owner}${project}`.toLowerCase();
  };
  return issue.project_id !== other.project_id && projectOf(issue.key) === projectOf(other.key);
}

/**
 * Returns the name of an organization. Adds the tracker if another tracker has an organization with
 * the same name.
 */
export function organizationLabel(
  organization: Organization,
  organizations: readonly Organization[],
  trackers: readonly { id: string; name: string; tracker_type: TrackerType }[],
): string {
  const { name, tracker_id: trackerId } = organization;
  const isShared = organizations.some((other) => other.name === name && other.tracker_id !== trackerId);
  const tracker = isShared ? trackers.find(({ id }) => id === trackerId) : undefined;
  return tracker === undefined
    ? name
    : `${name} in ${trackerLabel({ name: tracker.name, type: tracker.tracker_type })}`;
}
