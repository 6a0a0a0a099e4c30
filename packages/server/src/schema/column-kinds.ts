import type { ColumnType } from 'kysely';

/** A `timestamptz`: read as a Date, written as one; `now()` by default where the migration says so. */
export type Instant = ColumnType<Date, Date | string, Date | string>;
export type InstantByDefault = ColumnType<Date, Date | undefined, Date>;
