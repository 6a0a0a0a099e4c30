import type { Client } from 'pg';

/** What was taken off the tables while they are filled: statements that put it back. */
export interface SetAside {
  readonly putBack: readonly string[];
}

const OURS = 'current_schema()::regnamespace';

/**
 * Takes off, for this transaction, what would be done for each row again: the triggers that note news, foreign keys, and
 * indexes that keep nothing unique. So tables can be filled in any order, and an index is made once.
 */
export async function setAside(client: Client): Promise<SetAside> {
  const { rows } = await client.query<{ take_off: string; put_back: string }>(`
    select format('alter table %s disable trigger user', oid::regclass) as take_off,
      format('alter table %s enable trigger user', oid::regclass) as put_back, 3 as turn
    from pg_class where relnamespace = ${OURS} and relkind = 'r'
      and exists (select from pg_trigger where tgrelid = pg_class.oid and not tgisinternal)
    union all
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)), 2
    from pg_constraint where connamespace = ${OURS} and contype = 'f'
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 1
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = ${OURS} and not indisunique
    order by turn`);
  for (const { take_off } of rows) await client.query(take_off);
  return { putBack: rows.map(({ put_back }) => put_back) };
}

/** Puts back what {@link setAside} took off; foreign keys are checked as they are made. */
export async function putBack(client: Client, { putBack: statements }: SetAside): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/** Removes all tables, sequences and functions of the schema that no extension has brought. */
export async function dropEverything(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('drop table if exists %s cascade', oid::regclass) as statement
    from pg_class where relnamespace = ${OURS} and relkind in ('r', 'p')
    union all
    select format('drop sequence if exists %I', relname) from pg_class
    where relnamespace = ${OURS} and relkind = 'S'
    union all
    select format('drop %s if exists %s cascade', case prokind when 'p' then 'procedure' else 'function' end,
      oid::regprocedure)
    from pg_proc where pronamespace = ${OURS}
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`);
  for (const { statement } of rows) await client.query(statement);
}
