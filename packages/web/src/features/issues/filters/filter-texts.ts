import type { Project, StatusFilter } from '@winnow/contract/issue';
import { namesakeLookup, withTracker } from '../namesakes.ts';
import { projectSegment } from '../project-segment.ts';

/** Labels of the status filters. */
export const STATUS_LABELS: Record<StatusFilter, string> = { opened: 'Opened', closed: 'Closed', all: 'All' };

/** Maximum number of projects listed by name. Further projects are counted. */
const MAX_PROJECTS_NAMED = 2;

/**
 * Lists project names, such as `sync, server, +2`. A project that is not loaded is listed by the
 * first segment of its id.
 */
export function projectNames(segments: readonly string[], projects: readonly Project[]): string {
  const placeOf = namesakeLookup(projects);
  const names = new Map(projects.map(({ id, name }) => [projectSegment(id), withTracker(name, placeOf(id))]));
  const named = segments.slice(0, MAX_PROJECTS_NAMED).map((segment) => names.get(segment) ?? segment);
  const rest = segments.length - named.length;
  return rest > 0 ? `${named.join(', ')}, +${rest}` : named.join(', ');
}
