import type { FlowDefinition } from '@winnow/contract/flow';
import { projectSegment } from '../../../features/issues/project-segment.ts';
import { useProjects } from '../../../features/issues/queries.ts';

/** Fields of a trigger that select the tracker, organization and project to listen to. */
export type FlowPlace = Pick<
  FlowDefinition,
  'trigger_event_source' | 'trigger_organization_id' | 'trigger_project_id'
>;

/**
 * Returns the projects of the tracker that a flow listens to, by the first segments of their ids.
 * Empty if the flow listens to every tracker.
 */
export function useProjectsOfPlace(place: FlowPlace): string[] {
  const projects = useProjects().data ?? [];
  const trackerId =
    place.trigger_event_source ??
    projects.find(
      ({ id, organization_id }) =>
        id === place.trigger_project_id || organization_id === place.trigger_organization_id,
    )?.tracker_id;
  return projects.filter(({ tracker_id }) => tracker_id === trackerId).map(({ id }) => projectSegment(id));
}
