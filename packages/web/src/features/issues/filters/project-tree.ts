import type { Organization, Project } from '@winnow/contract/issue';
import { namesakeLookup, withTracker } from '../namesakes.ts';
import { projectSegment } from '../project-segment.ts';

/** An organization with its projects, for the filter tree. */
export type ProjectGroup = {
  id: string;
  name: string;
  projects: readonly { segment: string; name: string; issues: number }[];
};

/** Selection state of a project group. */
export type GroupState = 'all' | 'some' | 'none';

/**
 * Groups projects by organization. Groups and their projects are sorted by name. If a project of
 * the group also exists in another tracker, the group name includes the tracker.
 */
export function groupProjects(
  organizations: readonly Organization[],
  projects: readonly Project[],
): ProjectGroup[] {
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  const placeOf = namesakeLookup(projects);
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

export function groupState(group: ProjectGroup, chosen: readonly string[]): GroupState {
  const count = group.projects.filter(({ segment }) => chosen.includes(segment)).length;
  if (count === 0) return 'none';
  return count === group.projects.length ? 'all' : 'some';
}

/** Adds a project to the selection, or removes it if selected. */
export function toggleProject(chosen: readonly string[], segment: string): string[] {
  return chosen.includes(segment) ? chosen.filter((other) => other !== segment) : [...chosen, segment];
}

/** Selects all projects of a group, or none if all are selected. */
export function toggleGroup(chosen: readonly string[], group: ProjectGroup): string[] {
  const segments = group.projects.map(({ segment }) => segment);
  const others = chosen.filter((segment) => !segments.includes(segment));
  return groupState(group, chosen) === 'all' ? others : [...others, ...segments];
}

/**
 * Converts the selected projects to a filter, without deleted projects. The filter is empty if all
 * projects are selected.
 */
export function toProjectFilter(chosen: readonly string[], groups: readonly ProjectGroup[]): string[] {
  const known = groups.flatMap((group) => group.projects.map(({ segment }) => segment));
  const kept = known.filter((segment) => chosen.includes(segment));
  return kept.length === known.length ? [] : kept;
}
