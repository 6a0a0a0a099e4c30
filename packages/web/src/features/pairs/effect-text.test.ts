import { expect, test } from 'vitest';
import { effectText } from './effect-text.ts';

test.each([
  [0.5, Math.log(3), '+25 points'],
  [0.25, -Math.log(3), '−25 points'],
  [0.9, 0.1, '+1 point'],
  [0.01, -0.2, 'under 1 point'],
  [1, 2, 'under 1 point'],
  [0, -2, 'under 1 point'],
])('at a probability of %d, formats an effect of %d log-odds as %s', (probability, effect, text) => {
  expect(effectText(probability, effect)).toBe(text);
});
