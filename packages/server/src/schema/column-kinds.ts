import type { ColumnType } from 'kysely';

/**
 * A `timestamptz` column, read as a Date. `InstantByDefault` also has the default `now()` in the
 * database.
 */
export type Instant = ColumnType<Date, Date | string, Date | string>;
export type InstantByDefault = ColumnType<Date, Date | undefined, Date>;
