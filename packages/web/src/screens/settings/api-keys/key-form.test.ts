import { apiKeyCreate } from '@winnow/contract/api-key';
import { expect, test } from 'vitest';
import { createInput, EXPIRY_CHOICES, expiryText, INITIAL_VALUES } from './key-form.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');

test('lets a key expire after 7, 30 or 90 days, or never (the default)', () => {
  expect(EXPIRY_CHOICES.map(({ label }) => label)).toEqual(['Never', '7 days', '30 days', '90 days']);
  const ends = EXPIRY_CHOICES.map(
    ({ value }) => createInput({ ...INITIAL_VALUES, expiry: value }, NOW).expires_at,
  );
  expect(ends).toEqual([
    null,
    '2026-03-08T12:00:00.000Z',
    '2026-03-31T12:00:00.000Z',
    '2026-05-30T12:00:00.000Z',
  ]);
  expect(createInput(INITIAL_VALUES, NOW).expires_at).toBeNull();
});

test('shows the expiry as a date', () => {
  expect(EXPIRY_CHOICES.map(({ value }) => expiryText(value, NOW))).toEqual([
    'The key works until you revoke it.',
    'The key works until Mar 8, 2026.',
    'The key works until Mar 31, 2026.',
    'The key works until May 30, 2026.',
  ]);
});

test('creates a request body that matches the schema', () => {
  const input = createInput({ name: ' Laptop ', expiry: '7', scopes: ['write', 'read'] }, NOW);
  expect(apiKeyCreate.parse(input)).toMatchObject({ name: 'Laptop', scopes: ['read', 'write'] });
});
