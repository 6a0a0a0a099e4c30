import { type Kysely, sql } from 'kysely';

/** A limit in tokens for flows, kept with the rest of each definition. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['flow', 'flow_preset', 'flow_execution']) {
    await sql`
      update ${sql.table(table)} set definition = jsonb_set(definition, '{max_tokens}', 'null') where not definition ? 'max_tokens'
    `.execute(db);
  }
}
