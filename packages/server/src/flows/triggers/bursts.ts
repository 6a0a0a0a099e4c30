import type { TriggerEvent } from '@winnow/contract/flow';
import type { FlowRow } from '../store.ts';

/** An event that a flow listens to and that passes the flow's filters. */
export interface FlowMatch {
  flow: FlowRow;
  eventId: number;
  event: TriggerEvent;
}

/** Events of one type on one issue that a single execution handles. */
export interface Burst {
  flow: FlowRow;
  /** The first event of the burst. */
  event: TriggerEvent;
  eventIds: readonly number[];
}

/**
 * True if one execution can handle several events of this type on an issue. Comments are excluded,
 * because each has its own text.
 */
export function canJoinBurst({ type, issue_id: issueId }: TriggerEvent): boolean {
  return issueId !== null && type?.startsWith('comment_') !== true;
}

/** Groups events into bursts. One execution handles each burst. */
export function groupIntoBursts(hits: readonly FlowMatch[]): Burst[] {
  const groups = Map.groupBy(hits, ({ flow, event, eventId }) => {
    return `${flow.id} ${event.type} ${canJoinBurst(event) ? event.issue_id : eventId}`;
  });
  return [...groups.values()].flatMap((together) => {
    const [first] = together;
    if (first === undefined) return [];
    return [{ flow: first.flow, event: first.event, eventIds: together.map(({ eventId }) => eventId) }];
  });
}
