import { expect, test } from 'vitest';
import { carriesMarker, withMarker } from './comment-marker.ts';

test.each([['a--b'], ['a -->'], [''], ['a b'], ['-'.repeat(201)], ['a\n']])(
  'refuses %j, which is no marker or could end the HTML comment',
  (marker) => {
    expect(() => withMarker('text', marker)).toThrow(RangeError);
    expect(() => carriesMarker('text', marker)).toThrow(RangeError);
  },
);

test('a marker does not match a longer or shorter one', () => {
  const body = withMarker('Closed as a duplicate of acme/app#1.', 'step:12');
  expect(carriesMarker(body, 'step:1')).toBe(false);
  expect(carriesMarker(body, '12')).toBe(false);
  expect(carriesMarker(body, 'step:123')).toBe(false);
});

test('a marked text starts with the text and carries the marker invisibly', () => {
  const body = withMarker('Closed as a duplicate.\n\n', '0b8c1b7e-2f0e-4f3a-9b1e-1c5a7d2f6e90');
  expect(body).toBe('Closed as a duplicate.\n\n<!-- winnow:0b8c1b7e-2f0e-4f3a-9b1e-1c5a7d2f6e90 -->');
  expect(carriesMarker(body, '0b8c1b7e-2f0e-4f3a-9b1e-1c5a7d2f6e90')).toBe(true);
});
