import type { Migration } from 'kysely/migration';
import * as foundation from './migrations/0001-foundation.ts';
import * as search from './migrations/0002-search.ts';
import * as compliance from './migrations/0003-compliance.ts';
import * as dependencies from './migrations/0004-dependencies.ts';

/** Every migration by name, in the order they are applied. A released one is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-search': search,
  '0003-compliance': compliance,
  '0004-dependencies': dependencies,
};
