import type { Client } from 'pg';

/** Statements that recreate or enable the objects that were dropped or disabled. */
export interface DeferredObjects {
  readonly statements: readonly string[];
}

const CURRENT_SCHEMA = 'current_schema()::regnamespace';

/**
 * Drops or disables, within this transaction, everything that costs time per inserted row: user
 * triggers, foreign keys and non-unique indexes. Tables can then be filled in any order, and each
 * index is built once.
 */
export async function dropDeferrableObjects(client: Client): Promise<DeferredObjects> {
  const { rows } = await client.query<{ take_off: string; put_back: string }>(`
    select format('alter table %s disable trigger user', oid::regclass) as take_off,
      format('alter table %s enable trigger user', oid::regclass) as put_back, 3 as turn
    from pg_class where relnamespace = ${CURRENT_SCHEMA} and relkind = 'r'
      and exists (select from pg_trigger where tgrelid = pg_class.oid and not tgisinternal)
    union all
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)), 2
    from pg_constraint where connamespace = ${CURRENT_SCHEMA} and contype = 'f'
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 1
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = ${CURRENT_SCHEMA} and not indisunique
    order by turn`);
  for (const { take_off } of rows) await client.query(take_off);
  return { statements: rows.map(({ put_back }) => put_back) };
}

/**
 * Recreates and enables the objects that {@link dropDeferrableObjects} dropped or disabled.
 * PostgreSQL checks each foreign key when it is added.
 */
export async function restoreDeferredObjects(client: Client, { statements }: DeferredObjects): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/**
 * Drops all tables, sequences and functions of the schema, except those that belong to an
 * extension.
 */
export async function dropSchemaObjects(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('drop table if exists %s cascade', oid::regclass) as statement
    from pg_class where relnamespace = ${CURRENT_SCHEMA} and relkind in ('r', 'p')
    union all
    select format('drop sequence if exists %I', relname) from pg_class
    where relnamespace = ${CURRENT_SCHEMA} and relkind = 'S'
    union all
    select format('drop %s if exists %s cascade', case prokind when 'p' then 'procedure' else 'function' end,
      oid::regprocedure)
    from pg_proc where pronamespace = ${CURRENT_SCHEMA}
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`);
  for (const { statement } of rows) await client.query(statement);
}
