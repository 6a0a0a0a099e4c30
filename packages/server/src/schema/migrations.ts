import type { Migration } from 'kysely/migration';
import * as foundation from './migrations/0001-foundation.ts';

/** Every migration by name, in the order they are applied. A released one is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
};
