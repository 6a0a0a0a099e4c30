import type { TriggerEvent } from '@winnow/contract/flow';
import type { FlowRow } from '../store.ts';

/** An event that a flow listens for and lets pass. */
export interface Hit {
  flow: FlowRow;
  eventId: number;
  event: TriggerEvent;
}

/** Events of one kind about one issue that one execution of a flow answers together. */
export interface Burst {
  flow: FlowRow;
  /** The first of them. */
  event: TriggerEvent;
  eventIds: readonly number[];
}

/** Whether an execution can answer others of the kind too: what a comment says is in that event alone. */
export function joinsOthers({ type, issue_id: issueId }: TriggerEvent): boolean {
  return issueId !== null && type?.startsWith('comment_') !== true;
}

/** Puts together what one execution answers. */
export function burstsOf(hits: readonly Hit[]): Burst[] {
  const groups = Map.groupBy(hits, ({ flow, event, eventId }) => {
    return `${flow.id} ${event.type} ${joinsOthers(event) ? event.issue_id : eventId}`;
  });
  return [...groups.values()].flatMap((together) => {
    const [first] = together;
    if (first === undefined) return [];
    return [{ flow: first.flow, event: first.event, eventIds: together.map(({ eventId }) => eventId) }];
  });
}
