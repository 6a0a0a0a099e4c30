import { expect, test } from 'vitest';
import { graphOf } from '../testing/graph.ts';
import { drawGraph, drawnIds, partText } from './model.ts';

test('lists the blockers and the blocked issues in the accessible name of a node', () => {
  const graph = graphOf({ a: 0, b: 0, c: 1, d: 2 }, ['ac', 'bc', 'cd'], {
    closed: ['b'],
    longest_chain: ['a', 'c', 'd'],
  });
  const { issues, edges } = drawGraph(graph);
  expect(issues.map(({ name }) => name)).toEqual([
    'app#a Step 1 The a. Waits for nothing. Blocks app#c',
    'app#b The b. Closed. Waits for nothing. Blocks app#c',
    'app#c Step 2 The c. Waits for app#a. Blocks app#d',
    'app#d Step 3 The d. Waits for app#c',
  ]);
  expect(issues.map(({ chainStep }) => chainStep)).toEqual([1, null, 2, 3]);
  expect(edges.map(({ onChain }) => onChain)).toEqual([true, false, true]);
});

test('draws only the part of a large graph around the longest chain, and states how many issues are missing', () => {
  const layers = Object.fromEntries(['z', 'a', 'b', 'n', 'm', 'y'].map((id) => [id, 0]));
  const graph = graphOf(layers, ['ab', 'bn', 'nm'], { longest_chain: ['a', 'b'] });
  expect([...drawnIds(graph, 3)]).toEqual(['a', 'b', 'n']);
  expect([...drawnIds(graph, 5)]).toEqual(['a', 'b', 'n', 'm', 'z']);
  expect(drawnIds(graph, 6).size).toBe(6);
  expect(partText(drawGraph(graph))).toBeNull();
  const { layout, ...drawn } = drawGraph(graph);
  expect(partText({ ...drawn, layout, left: 7 })).toBe(
    '6 issues around the longest chain are drawn, open ones first. The table below also lists the other 7.',
  );
});

test('prefers open issues if the graph is too large to draw completely', () => {
  const layers = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, 0]));
  const graph = graphOf(layers, ['ab', 'bc', 'cd', 'ef'], {
    closed: ['c', 'd'],
    longest_chain: ['a', 'b'],
  });
  expect([...drawnIds(graph, 4)]).toEqual(['a', 'b', 'e', 'f']);
  expect([...drawnIds(graph, 5)]).toEqual(['a', 'b', 'e', 'f', 'c']);
});
