import { expect, test } from 'vitest';
import { pressGate } from './press-gate.ts';

test('of presses that come quickly after each other only the first counts, however long they go on', () => {
  const isDeliberate = pressGate(250);
  const presses = Array.from({ length: 40 }, (_, index) => 1_000 + index * 120);
  expect(presses.filter(isDeliberate)).toEqual([1_000]);
});

test('presses with a look between them all count', () => {
  const isDeliberate = pressGate(250);
  expect([0, 250, 900, 1_100, 1_350].map(isDeliberate)).toEqual([true, true, true, false, true]);
});
