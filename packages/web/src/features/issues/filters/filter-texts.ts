import type { Project, StatusFilter } from '@winnow/contract/issue';
import { namesakes, withTracker } from '../namesakes.ts';
import { projectSegment } from '../project-segment.ts';

/** How the status filters are called. */
export const STATUS_LABELS: Record<StatusFilter, string> = { opened: 'Opened', closed: 'Closed', all: 'All' };

/** Projects that are named before the rest is counted. */
const NAMED = 2;

/** `sync, server, +2`. A project that is not known is named by its segment. */
export function projectNames(segments: readonly string[], projects: readonly Project[]): string {
  const placeOf = namesakes(projects);
  const names = new Map(projects.map(({ id, name }) => [projectSegment(id), withTracker(name, placeOf(id))]));
  const named = segments.slice(0, NAMED).map((segment) => names.get(segment) ?? segment);
  const rest = segments.length - named.length;
  return rest > 0 ? `${named.join(', ')}, +${rest}` : named.join(', ');
}
