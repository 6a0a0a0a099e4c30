import { expect, test } from 'vitest';
import { pressGate } from './press-gate.ts';

test('accepts only the first of many quick presses', () => {
  const isDeliberate = pressGate(250);
  const presses = Array.from({ length: 40 }, (_, index) => 1_000 + index * 120);
  expect(presses.filter(isDeliberate)).toEqual([1_000]);
});

test('accepts presses with a pause between them', () => {
  const isDeliberate = pressGate(250);
  expect([0, 250, 900, 1_100, 1_350].map(isDeliberate)).toEqual([true, true, true, false, true]);
});
