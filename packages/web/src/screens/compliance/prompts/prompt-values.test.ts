import type { CompliancePrompt } from '@winnow/contract/compliance';
import { expect, test } from 'vitest';
import { draftOf, emptyCriterion, errorsOf, shareText, valuesOf } from './prompt-values.ts';

const prompt: CompliancePrompt = {
  id: '0d6b5a52-0c1b-4b66-9d3f-0f3a5c0e7a11',
  name: 'Ready for support',
  short_name: 'Support',
  description: '',
  criteria: [
    { id: 'criterion_1', name: 'Who', weight: 1 / 3, description: 'Says who asks.', check: null },
    { id: 'criterion_2', name: 'Goal', weight: 2 / 3, description: 'Says what for.', check: 'goal' },
  ],
  builtin: false,
  version: 2,
};

test('converts a prompt to form values and back, with weights as percentages', () => {
  const values = valuesOf(prompt);
  expect(values.criteria.map(({ weight }) => weight)).toEqual([33.3, 66.7]);
  expect(draftOf(values)).toEqual({
    name: 'Ready for support',
    short_name: 'Support',
    description: '',
    criteria: [
      { name: 'Who', weight: (1 / 3) * 100, description: 'Says who asks.', check: null },
      { name: 'Goal', weight: (2 / 3) * 100, description: 'Says what for.', check: 'goal' },
    ],
  });
});

test('keeps the exact weight of a criterion unless edited, and displays very small weights', () => {
  const weights = [2 / 7, 1 / 7, 4 / 7, 1 / 3_001];
  const criteria = weights.map((weight, index) => ({
    id: `criterion_${index}`,
    name: `C${index}`,
    weight,
    description: 'x',
    check: null,
  }));
  const values = valuesOf({ ...prompt, criteria });
  expect(values.criteria.map(({ weight }) => weight)).toEqual([28.6, 14.3, 57.1, 0.0333]);
  const changed = values.criteria.map((criterion, index) =>
    index === 1 ? { ...criterion, weight: 30 } : criterion,
  );
  expect(draftOf({ ...values, criteria: changed })?.criteria.map(({ weight }) => weight)).toEqual([
    (2 / 7) * 100,
    30,
    (4 / 7) * 100,
    (1 / 3_001) * 100,
  ]);
});

test('reports missing values for each field, and returns no draft', () => {
  const values = valuesOf(null);
  expect(draftOf(values)).toBeNull();
  expect(errorsOf(values)).toMatchObject({
    name: 'This is needed.',
    short_name: 'This is needed.',
    'criteria.0.name': 'This is needed.',
    'criteria.0.description': 'Describe what a full score requires.',
  });
  const weightless = {
    ...valuesOf(prompt),
    criteria: [{ ...emptyCriterion('1'), name: 'x', description: 'y', weight: '' }],
  };
  expect(errorsOf(weightless)).toEqual({ 'criteria.0.weight': 'A weight must be above 0.' });
});

test('refuses two criteria with the same name', () => {
  const values = valuesOf(prompt);
  const twice = { ...values, criteria: values.criteria.map((criterion) => ({ ...criterion, name: 'Who' })) };
  expect(errorsOf(twice)).toEqual({ criteria: 'Two criteria have the same name.' });
});

test('shows weights of any size as shares of their total', () => {
  const criteria = [1, 3, 'x'].map((weight, index) => ({ ...emptyCriterion(String(index)), weight }));
  const values = { ...valuesOf(null), criteria };
  expect([0, 1, 2].map((index) => shareText(values, index))).toEqual(['25%', '75%', '']);
});
