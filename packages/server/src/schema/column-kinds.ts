import type { ColumnType } from 'kysely';

/**
 * A `timestamptz` column. Reads as Date. `InstantByDefault` has the default `now()` in its
 * migration.
 */
export type Instant = ColumnType<Date, Date | string, Date | string>;
export type InstantByDefault = ColumnType<Date, Date | undefined, Date>;
