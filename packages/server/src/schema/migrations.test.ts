import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from './migrations.ts';

test('all migrations are listed, and numbered without gaps', () => {
  const files = readdirSync(join(import.meta.dirname, 'migrations')).sort();
  const names = Object.keys(migrations);
  expect(names.map((name) => `${name}.ts`)).toEqual(files);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
});
