import { expect, test } from 'vitest';
import { COMMON_EVENTS, FLOW_EVENTS, type FlowEvent, needsModel, OFFERED_EVENTS } from './flow.ts';

/** Returns the tracker events to which the flow events correspond. */
const streamOf = (events: readonly FlowEvent[]): Set<string> =>
  new Set(events.flatMap((event) => [...FLOW_EVENTS[event].stream]));

test('events suggested for all trackers include the events suggested for each type', () => {
  const common = streamOf(COMMON_EVENTS);
  const missing = [...streamOf(Object.values(OFFERED_EVENTS).flat())].filter((event) => !common.has(event));
  expect(missing).toEqual([]);
  expect(common.size, 'no event is offered twice').toBe(COMMON_EVENTS.length);
});

test('a preset needs a language model only if it has no action for the built-in analyst', () => {
  expect(needsModel({ builtin_actions: [] })).toBe(true);
  expect(needsModel({ builtin_actions: ['flag_duplicates'] })).toBe(false);
});
