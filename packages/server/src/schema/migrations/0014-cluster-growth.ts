import { type Kysely, sql } from 'kysely';

/** Adds events that the analysis causes, and the cluster size that starts a flow. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tracker_event drop constraint tracker_event_source_check;
    alter table tracker_event add constraint tracker_event_source_check
      check (source in ('webhook', 'polling', 'analysis'));
    update flow set definition = definition || '{"trigger_cluster_size": null}';
    update flow_preset set definition = definition || '{"trigger_cluster_size": null}';
    update flow_execution set definition = definition || '{"trigger_cluster_size": null}';
  `.execute(db);
}
