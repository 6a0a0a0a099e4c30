import { expect, test } from 'vitest';
import { ERROR_CODES } from './error-codes.ts';
import { EXAMPLES } from './examples.ts';
import { OPERATIONS } from './operations.ts';
import { namedSchemas } from './schemas.ts';

test('each example is accepted unchanged by its schema, and no schema has two examples', () => {
  const names = namedSchemas();
  for (const [schema, value] of EXAMPLES) {
    const parsed = schema.safeParse(value);
    expect([names.get(schema), parsed.error?.issues ?? []]).toEqual([names.get(schema), []]);
    expect(names.get(schema), 'The contract exports each schema that has an example.').toBeTypeOf('string');
  }
  expect(new Set(EXAMPLES.map(([schema]) => schema)).size).toBe(EXAMPLES.length);
});

test('operations have unique ids, texts and known codes', () => {
  const operations = Object.values(OPERATIONS);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  for (const { id, summary, description, errors = [] } of operations) {
    expect(id).toMatch(/^[a-z][A-Za-z]{3,40}$/);
    expect(summary.length, id).toBeGreaterThan(5);
    expect(description, id).toMatch(/^[A-Z`].{20,}\.$/s);
    expect(description, id).not.toBe(`${summary}.`);
    for (const error of errors) {
      const code = typeof error === 'string' ? error : error.code;
      expect(Object.keys(ERROR_CODES), id).toContain(code);
    }
  }
});
