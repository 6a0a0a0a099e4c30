import { expect, test } from 'vitest';
import { readEvent } from './read-event.ts';

test('what is no event of ours is none', () => {
  for (const message of [[], null, 'ping', { type: 'from_the_future' }])
    expect(readEvent(message)).toBeNull();
  expect(readEvent({ type: 'usage_updated' })).toEqual({ type: 'usage_updated' });
});
