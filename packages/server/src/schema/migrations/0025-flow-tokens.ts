import { type Kysely, sql } from 'kysely';

/** Adds a token limit to the stored definitions of flows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['flow', 'flow_preset', 'flow_execution']) {
    await sql`
      update ${sql.table(table)} set definition = jsonb_set(definition, '{max_tokens}', 'null') where not definition ? 'max_tokens'
    `.execute(db);
  }
}
