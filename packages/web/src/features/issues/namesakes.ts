import type { IssueReference, NamedTracker, Organization, Project } from '@winnow/contract/issue';
import { TRACKER_TYPES, type TrackerType } from '@winnow/contract/tracker';
import { splitIssueKey } from './issue-key-parts.ts';

/** A tracker as it is named beside what could be confused. `label` has its type, as in `Mirror (GitLab)`. */
export type ShownTracker = NamedTracker & { label: string };

/** Names a tracker with its type, as in `Mirror (GitLab)`. */
export function labelOf({ name, type }: NamedTracker): string {
  return `${name} (${TRACKER_TYPES[type].label})`;
}

/** Looks up the tracker of a project; null for a project without a namesake, and for one that is not known. */
export type SharedPlaces = (projectId: string | null | undefined) => ShownTracker | null;

/** Look-ups by the list they were made of: every row of a list asks for the same one. */
const made = new WeakMap<readonly Project[], SharedPlaces>();

/** Returns the look-up for projects whose names or keys another tracker has too. */
export function namesakes(projects: readonly Project[]): SharedPlaces {
  const places = made.get(projects) ?? makePlaces(projects);
  made.set(projects, places);
  return places;
}

function makePlaces(projects: readonly Project[]): SharedPlaces {
  const shared = new Map(
    projects
      .filter(({ has_namesake }) => has_namesake)
      .map(({ id, tracker_name: name, tracker_type: type }) => [
        id,
        { name, type, label: labelOf({ name, type }) },
      ]),
  );
  return (projectId) => (projectId == null ? null : (shared.get(projectId) ?? null));
}

/** A name in a plain text, with its tracker where it needs one: `acme/web#12 in Mirror (GitLab)`. */
export function withTracker(name: string, tracker: ShownTracker | null): string {
  return tracker === null ? name : `${name} in ${tracker.label}`;
}

/** An issue with what tells it from one of an equal key. */
export type PlacedIssue = Pick<IssueReference, 'key' | 'project_id' | 'tracker'>;

/** Names an issue in a sentence that also names `other`: by its key, and by its tracker if both keys are of one project. */
export function keyBeside(issue: PlacedIssue, other: PlacedIssue): string {
  return issue.tracker !== null && isNamesake(issue, other)
    ? `${issue.key} in ${labelOf(issue.tracker)}`
    : issue.key;
}

/** True if two issues of different projects have keys as of one project. */
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

/** Names an organization, with its tracker if another tracker has one of the same name. */
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
    : `${name} in ${labelOf({ name: tracker.name, type: tracker.tracker_type })}`;
}
