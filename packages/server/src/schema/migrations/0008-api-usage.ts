import { type Kysely, sql } from 'kysely';

/** Creates daily usage of API keys, and an index for the retention of model calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- No foreign key: usage of revoked keys is retained.
    create table api_usage (
      account_id uuid not null references account on delete cascade,
      day date not null,
      key_id uuid not null,
      endpoint text not null,
      method text not null,
      key_name text,
      count bigint not null,
      errors bigint not null,
      latency integer[] not null,
      primary key (account_id, day, key_id, endpoint, method)
    );
    create index api_usage_age on api_usage (day);
    create index ai_call_age on ai_call (at);
  `.execute(db);
}
