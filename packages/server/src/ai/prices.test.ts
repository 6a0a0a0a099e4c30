import { expect, test } from 'vitest';
import { costOf, listPriceOf, listPrices, PRICES_AS_OF } from './prices.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const tokens = { input: 100_000, output: 100_000 };
const priceOf = (provider: 'openai' | 'anthropic' | 'google' | 'custom', identifier: string, at = NOW) =>
  listPriceOf({ provider, identifier }, at);

test.each([
  ['gpt-4o', 'openai', 1.25],
  ['gpt-4o-2024-08-06', 'openai', 1.25],
  ['gpt-6.1-sol', 'openai', 1.2],
  ['claude-3-haiku-20240307', 'anthropic', 0.15],
  ['claude-sonnet-5-5', 'anthropic', 1.2],
  ['gemini-2.5-flash', 'google', 0.28],
  ['gemini-1.5-pro-latest', 'google', 0.625],
] as const)('%s has its list price in every edition', (identifier, provider, cost) => {
  expect(costOf(priceOf(provider, identifier), tokens)).toBeCloseTo(cost);
});

test.each([
  ['a model of another family', 'openai', 'gpt-4o-audio'],
  ['a property name of every object', 'openai', 'constructor'],
  ['a custom server', 'custom', 'gpt-4o'],
  ['a model of another provider', 'google', 'gpt-4o'],
] as const)('%s has no known cost', (_what, provider, identifier) => {
  expect(costOf(priceOf(provider, identifier), tokens)).toBeNull();
});

test('missing token counts mean an unknown cost', () => {
  expect(costOf(priceOf('openai', 'gpt-4o'), { input: null, output: 5 })).toBeNull();
});

test('cached input has its own rate, and a long prompt the rate of long prompts', () => {
  const sol = priceOf('openai', 'gpt-6.1-sol');
  expect(costOf(sol, { input: 100_000, output: 0, cachedInput: 40_000 })).toBeCloseTo(0.124);
  expect(costOf(sol, { input: 300_000, output: 0, cachedInput: 0 })).toBeCloseTo(1.2);
  const withoutCache = priceOf('openai', 'gpt-4-turbo');
  expect(costOf(withoutCache, { input: 100_000, output: 0, cachedInput: 40_000 })).toBeCloseTo(1);
});

test('a promotional price is unknown after its last day', () => {
  expect(priceOf('google', 'gemini-3.8-flash')?.input).toBe(0.75);
  expect(priceOf('google', 'gemini-3.8-flash', new Date('2027-01-01T00:00:00Z'))).toBeNull();
});

test('every list price has the date of its source, and the newest date is that of the list', () => {
  const { as_of, models } = listPrices(NOW);
  expect(as_of).toBe(PRICES_AS_OF);
  expect(
    models
      .map((model) => model.as_of)
      .sort()
      .at(-1),
  ).toBe(as_of);
});
