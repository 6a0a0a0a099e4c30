import { expect, test } from 'vitest';
import { costOf } from './prices.ts';

const tokens = { input: 1_000_000, output: 100_000 };

test.each([
  ['gpt-4o', 'openai', 3.5],
  ['gpt-4o-2024-08-06', 'openai', 3.5],
  ['claude-3-haiku-20240307', 'anthropic', 0.375],
  ['gemini-1.5-pro-latest', 'google', 1.75],
] as const)('%s costs what the list says, whichever edition it is', (identifier, provider, cost) => {
  expect(costOf({ provider, identifier }, tokens)).toBeCloseTo(cost);
});

test.each([
  ['a model of another family', 'openai', 'gpt-4o-audio'],
  ['a name that every object has', 'openai', 'constructor'],
  ['a server of one’s own', 'custom', 'gpt-4o'],
  ['a model of another provider', 'google', 'gpt-4o'],
] as const)('%s has no known cost', (_what, provider, identifier) => {
  expect(costOf({ provider, identifier }, tokens)).toBeNull();
});

test('tokens that the model does not tell have no known cost', () => {
  expect(costOf({ provider: 'openai', identifier: 'gpt-4o' }, { input: null, output: 5 })).toBeNull();
});
