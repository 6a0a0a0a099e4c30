import { FLOW_CLUSTER_SIZE, FLOW_EVENTS, type FlowDefinition, type FlowEvent } from '@winnow/contract/flow';
import type { TrackerEventType } from '@winnow/contract/tracker-event';

/**
 * Selects the events that a flow listens to. Without `event_type`, it selects none. Other null
 * fields match any value.
 */
export interface Listener {
  event_type: FlowEvent | null;
  tracker_id: string | null;
  organization_id: string | null;
  project_id: string | null;
  created_at: Date;
  definition: Pick<FlowDefinition, 'trigger_cluster_size'>;
}

/** Type of an event, and the project in which it happened. */
export interface MatchableEvent {
  type: TrackerEventType;
  tracker_id: string;
  organization_id: string;
  project_id: string;
  received_at: Date;
  /** Number of open issues before and after a cluster grew. Null for other types of events. */
  growth: { before: number; after: number } | null;
}

/**
 * True if a flow listens to an event. Ignores events that were received before the flow was
 * created.
 */
export function listensTo(flow: Listener, event: MatchableEvent): boolean {
  return (
    flow.event_type !== null &&
    FLOW_EVENTS[flow.event_type].stream.some((type) => type === event.type) &&
    isWithin(flow.tracker_id, event.tracker_id) &&
    isWithin(flow.organization_id, event.organization_id) &&
    isWithin(flow.project_id, event.project_id) &&
    flow.created_at <= event.received_at &&
    hasPassed(flow.definition.trigger_cluster_size ?? FLOW_CLUSTER_SIZE.usual, event.growth)
  );
}

/**
 * True if a cluster grew from at most `size` issues to more than `size`. Always true for other
 * events.
 */
function hasPassed(size: number, growth: MatchableEvent['growth']): boolean {
  return growth === null || (growth.before <= size && size < growth.after);
}

function isWithin(wanted: string | null, actual: string): boolean {
  return wanted === null || wanted === actual;
}
