import { expect, test } from 'vitest';
import { readEvent } from './read-event.ts';

test('returns null for unknown messages', () => {
  for (const message of [[], null, 'ping', { type: 'from_the_future' }])
    expect(readEvent(message)).toBeNull();
  expect(readEvent({ type: 'usage_updated' })).toEqual({ type: 'usage_updated' });
});
