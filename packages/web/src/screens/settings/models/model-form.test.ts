import { expect, test } from 'vitest';
import { isListed, listPriceOf, modelChoices } from './model-form.ts';

test('omits suggested models that the provider does not list, once its list is loaded', () => {
  expect(modelChoices('openai')).toEqual(['gpt-6.1-sol', 'gpt-6-luna', 'gpt-6-astra', 'Other']);
  expect(modelChoices('openai', ['gpt-7', 'gpt-6-luna'])).toEqual(['gpt-6-luna', 'gpt-7', 'Other']);
  expect(modelChoices('openai', ['gpt-6-luna'], 'gpt-6-astra')).toEqual([
    'gpt-6-luna',
    'gpt-6-astra',
    'Other',
  ]);
  expect(modelChoices('anthropic', ['claude-haiku-5-5-20260901'])).toEqual([
    'claude-haiku-5-5',
    'claude-haiku-5-5-20260901',
    'Other',
  ]);
});

test('recognizes a listed model by its name or as a dated edition, but not by a prefix of its name', () => {
  const listed = ['gpt-4o-2024-08-06', 'gpt-4o-mini'];
  expect(
    ['gpt-4o', 'gpt-4o-mini', 'gpt-4o-2024-08-06', 'gpt-4'].map((name) => isListed(listed, name)),
  ).toEqual([true, true, true, false]);
});

test('uses the list price of a model for its dated editions', () => {
  const rates = { input: 2.5, output: 10, cached_input: null, as_of: '2026-10-01' };
  const price = { provider_name: 'openai', model_identifier: 'gpt-4o', ...rates } as const;
  const prices = { as_of: '2026-10-01', models: [price] };
  const of = (provider_name: 'openai' | 'custom', model_identifier: string) =>
    listPriceOf(prices, { provider_name, model_identifier });
  expect(of('openai', 'gpt-4o-2024-08-06')).toBe(price);
  expect(of('custom', 'gpt-4o')).toBeUndefined();
  expect(of('openai', 'gpt-4o-audio')).toBeUndefined();
});
