import { expect, test } from 'vitest';
import { COMMON_EVENTS, FLOW_EVENTS, type FlowEvent, needsModel, OFFERED_EVENTS } from './flow.ts';

/** Returns the tracker events to which the flow events correspond. */
const streamOf = (events: readonly FlowEvent[]): Set<string> =>
  new Set(events.flatMap((event) => [...FLOW_EVENTS[event].stream]));

test('a flow for any tracker is offered every event that is offered for one type of tracker', () => {
  const common = streamOf(COMMON_EVENTS);
  const missing = [...streamOf(Object.values(OFFERED_EVENTS).flat())].filter((event) => !common.has(event));
  expect(missing).toEqual([]);
  expect(common.size, 'no event is offered twice').toBe(COMMON_EVENTS.length);
});

test('a preset needs a language model only if the built-in analyst has nothing to do', () => {
  expect(needsModel({ builtin_actions: [] })).toBe(true);
  expect(needsModel({ builtin_actions: ['flag_duplicates'] })).toBe(false);
});
