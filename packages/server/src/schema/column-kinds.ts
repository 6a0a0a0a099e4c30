import type { ColumnType } from 'kysely';

/**
 * A `timestamptz` column, read as a Date. The database sets an `InstantByDefault` column to `now()`
 * if an insert omits it.
 */
export type Instant = ColumnType<Date, Date | string, Date | string>;
export type InstantByDefault = ColumnType<Date, Date | undefined, Date>;
