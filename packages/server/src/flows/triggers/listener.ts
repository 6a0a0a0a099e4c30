import { FLOW_EVENTS, type FlowEvent } from '@winnow/contract/flow';
import type { TrackerEventType } from '@winnow/contract/tracker-event';

/** Filter of a flow for events; null matches everything. */
export interface Listener {
  event_type: FlowEvent | null;
  tracker_id: string | null;
  organization_id: string | null;
  project_id: string | null;
  created_at: Date;
}

/** Type and place of an event. */
export interface HeardEvent {
  type: TrackerEventType;
  tracker_id: string;
  organization_id: string;
  project_id: string;
  received_at: Date;
}

/** True if a flow listens to an event. Events received before the flow was created are ignored. */
export function listensTo(flow: Listener, event: HeardEvent): boolean {
  return (
    flow.event_type !== null &&
    FLOW_EVENTS[flow.event_type].stream.some((type) => type === event.type) &&
    isWithin(flow.tracker_id, event.tracker_id) &&
    isWithin(flow.organization_id, event.organization_id) &&
    isWithin(flow.project_id, event.project_id) &&
    flow.created_at <= event.received_at
  );
}

function isWithin(wanted: string | null, actual: string): boolean {
  return wanted === null || wanted === actual;
}
