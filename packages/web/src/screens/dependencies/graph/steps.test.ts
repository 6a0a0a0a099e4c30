import { expect, test } from 'vitest';
import { graphOf } from '../testing/graph.ts';
import { drawGraph } from './model.ts';
import { readingOrder, stepFrom } from './steps.ts';

test('follows edges to the left and right, and reaches every issue downwards, column by column', () => {
  const drawn = drawGraph(graphOf({ a: 0, b: 1, c: 1, x: 0 }, ['ab', 'ac', 'xc']));
  const right = stepFrom(drawn, 'a', 'right');
  expect(['b', 'c']).toContain(right);
  expect(stepFrom(drawn, right ?? '', 'left')).toBe('a');
  expect(stepFrom(drawn, 'a', 'left')).toBeNull();
  const order = readingOrder(drawn.issues);
  const walked = [order[0] ?? ''];
  for (let at = stepFrom(drawn, order[0] ?? '', 'down'); at !== null; at = stepFrom(drawn, at, 'down')) {
    walked.push(at);
  }
  expect(walked).toEqual(order);
  expect([...walked].sort()).toEqual(['a', 'b', 'c', 'x']);
  expect(stepFrom(drawn, order[1] ?? '', 'up')).toBe(order[0]);
});
