import type { TriggerEvent } from '@winnow/contract/flow';
import type { FlowRow } from '../store.ts';

/** An event that a flow listens to and whose filters pass. */
export interface FlowMatch {
  flow: FlowRow;
  eventId: number;
  event: TriggerEvent;
}

/** Events of one type on one issue, handled by a single execution. */
export interface Burst {
  flow: FlowRow;
  /** The first of the events. */
  event: TriggerEvent;
  eventIds: readonly number[];
}

/**
 * True if an execution can handle further events of the type. Comments are excluded: each has its
 * own text.
 */
export function canJoinBurst({ type, issue_id: issueId }: TriggerEvent): boolean {
  return issueId !== null && type?.startsWith('comment_') !== true;
}

/** Groups events that one execution handles. */
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
