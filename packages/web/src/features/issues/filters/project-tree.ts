import type { Organization, Project } from '@winnow/contract/issue';
import { namesakes, withTracker } from '../namesakes.ts';
import { projectSegment } from '../project-segment.ts';

/** An organization with its projects, as the filter shows them. */
export type ProjectGroup = {
  id: string;
  name: string;
  projects: readonly { segment: string; name: string; issues: number }[];
};

/** Which projects of a group are chosen. */
export type GroupState = 'all' | 'some' | 'none';

/**
 * Projects under their organizations, both by name. Organizations without projects are left out. One whose projects another
 * tracker has too is named with its tracker.
 */
export function groupProjects(
  organizations: readonly Organization[],
  projects: readonly Project[],
): ProjectGroup[] {
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  const placeOf = namesakes(projects);
  const groups = Map.groupBy(projects, (project) => project.organization_id);
  return [...groups]
    .map(([id, members]) => ({
      id,
      name: withTracker(
        names.get(id) ?? 'Other projects',
        members.map((project) => placeOf(project.id)).find((tracker) => tracker !== null) ?? null,
      ),
      projects: members
        .map(({ id: projectId, name, issues }) => ({ segment: projectSegment(projectId), name, issues }))
        .toSorted((one, other) => one.name.localeCompare(other.name)),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** How much of a group is chosen. */
export function groupState(group: ProjectGroup, chosen: readonly string[]): GroupState {
  const count = group.projects.filter(({ segment }) => chosen.includes(segment)).length;
  if (count === 0) return 'none';
  return count === group.projects.length ? 'all' : 'some';
}

/** The choice with one project switched. */
export function toggleProject(chosen: readonly string[], segment: string): string[] {
  return chosen.includes(segment) ? chosen.filter((other) => other !== segment) : [...chosen, segment];
}

/** The choice with a whole group switched: all of it, unless all of it was chosen already. */
export function toggleGroup(chosen: readonly string[], group: ProjectGroup): string[] {
  const segments = group.projects.map(({ segment }) => segment);
  const others = chosen.filter((segment) => !segments.includes(segment));
  return groupState(group, chosen) === 'all' ? others : [...others, ...segments];
}

/** The choice as a filter: every project chosen filters nothing, and projects that are gone are dropped. */
export function asFilter(chosen: readonly string[], groups: readonly ProjectGroup[]): string[] {
  const known = groups.flatMap((group) => group.projects.map(({ segment }) => segment));
  const kept = known.filter((segment) => chosen.includes(segment));
  return kept.length === known.length ? [] : kept;
}
