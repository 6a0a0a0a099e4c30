import { tracker } from '@winnow/contract/tracker';
import { sql } from 'kysely';
import { recoveryCodeHash } from '../accounts/second-factors/codes.ts';
import type { Db } from '../schema/tables.ts';
import type { Caller } from './caller.ts';
import { eventually } from './eventually.ts';

/** Recovery code of a filled account, which has a passkey. */
export const RECOVERY_CODE = '0000-1111-2222-3333';

/**
 * Stores at least one row in every table with account data. Returns the id of the account. Syncs
 * and analyzes the sample backlog, then inserts rows into tables that are still empty.
 *
 * @throws if a table would remain empty
 */
export async function fillAccount(db: Db, caller: Caller): Promise<string> {
  const accountId = await caller.accountId();
  await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await eventually(
    async () => (await countRows(db, accountId, 'pair')) > 0 && (await countDueJobs(db)) === 0,
    {
      what: 'the sample to be analyzed',
    },
  );
  await addTheRest(db, accountId);
  const left = (await tablesOfAccounts(db)).filter((table) => table !== 'kysely_migration');
  for (const table of left) {
    if ((await countRows(db, accountId, table)) === 0) {
      throw new Error(`The table ${table} is empty: add a row for it to addTheRest.`);
    }
  }
  return accountId;
}

/** Returns the names of all tables with the column `account_id`. */
export async function tablesOfAccounts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'account_id' order by table_name
  `.execute(db);
  return rows.map(({ name }) => name);
}

export async function countRows(db: Db, accountId: string, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where account_id = ${accountId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the number of jobs that are due or running. */
export async function countDueJobs(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs where run_at <= now() and attempts < max_attempts
  `.execute(db);
  return rows[0]?.count ?? 0;
}

async function addTheRest(db: Db, accountId: string): Promise<void> {
  await sql
    .raw(`do $$
    declare
      acc uuid := '${accountId}';
      me uuid; trk uuid; prj uuid; one uuid; two uuid; obj uuid := gen_random_uuid(); ev bigint;
    begin
      select id into me from app_user where account_id = acc;
      select id into trk from tracker where account_id = acc;
      select id into prj from project where account_id = acc limit 1;
      select issue_a, issue_b into one, two from pair where account_id = acc limit 1;
      insert into ai_model (account_id, id, name, provider_name, model_identifier, api_url, is_default)
        values (acc, obj, 'Mine', 'custom', 'm', 'http://127.0.0.1', false);
      insert into ai_model_health (account_id, ai_model_id, last_failure, failures_in_row) values (acc, obj, 'Down.', 1);
      insert into ai_model_use (account_id, ai_model_id, period, starts_at, calls) values (acc, obj, 'month', now(), 1);
      insert into ai_model_failed_test values (acc, 'custom', 'http://127.0.0.1', 'm', now(), 'Down.');
      insert into ai_call (account_id, id, at, feature, model_name, provider_name, model_identifier, prompt, answers,
        duration_ms, outcome, cost) values (acc, obj, now(), 'verdicts', 'Mine', 'custom', 'm', 'p', 1, 1, 'ok', 0.1);
      insert into api_key (account_id, id, user_id, name, prefix, key_hash, scopes, created_at)
        values (acc, obj, me, 'K', 'wk', decode(md5(acc::text), 'hex'), '{read}', now());
      insert into api_usage (account_id, day, key_id, endpoint, method, count, errors, latency)
        values (acc, current_date, obj, '/x', 'GET', 1, 0, '{1}');
      insert into removed_member values (acc, me, now());
      insert into invitation (account_id, id, kind, role, email, token_hash, created_at)
        values (acc, obj, 'email', 'viewer', 'a@example.com', decode(md5(acc::text), 'hex'), now());
      insert into audit_event (account_id, id, at, kind, actor_type, actor_name)
        values (acc, obj, now(), 'signed_in', 'user', 'Me');
      insert into authenticator values (acc, obj, me, '\\x01', null, null);
      insert into passkey values (acc, obj, me, decode(md5('p' || acc), 'hex'), '\\x01', 1, '{usb}', 'Key', false,
        false, now(), null);
      insert into recovery_code values (acc, me, '\\x${recoveryCodeHash(RECOVERY_CODE).toString('hex')}');
      insert into change (account_id, id, kind, status, title, actor_type, actor_id, actor_name, payload, base_hashes)
        values (acc, obj, 'dependency', 'applied', 'T', 'user', me, 'Me', '{}', '{}');
      insert into change_issue values (acc, obj, one, 'k', 0);
      insert into change_step (account_id, id, change_id, position, action, target_issue_id, target_key, before, after,
        status) values (acc, obj, obj, 0, 'comment', one, 'k', '{}', '{"x": "tab\\t, \\\\ and é"}', 'applied');
      insert into compliance_prompt values (acc, obj, 1, 'N', 'n', 'D', '[]');
      insert into compliance_result (account_id, id, issue_id, prompt_id, asked_as, asked_until, has_failed, judged_as,
        contents) values (acc, obj, one, 'p', '\\x01', now(), false, '\\x01', '{}');
      insert into compliance_run (account_id, id, project_id, prompt_id, status, state, total, started_at, ended_at,
        calls_left) values (acc, obj, prj, 'p', 'all', 'done', 1, now(), now(), 0);
      insert into compliance_suggestion values (acc, one, 'p', '\\x01', '{}', obj, now());
      insert into custom_plan (id, account_id, name, features) values (obj::text, acc, 'Special', '{}');
      insert into dependency_question values (acc, '\\x01', now(), false, now(), '[]');
      insert into flow values (acc, obj, 'F', false, trk, null, prj, 'issue_created', null, '{}', null, now(), now());
      insert into flow_preset values (acc, obj, '{}', now());
      insert into flow_execution (account_id, id, flow_id, status, definition, trigger_event, dry_run, created_at,
        end_time) values (acc, obj, obj, 'SUCCEEDED', '{}', '{}', false, now(), now());
      insert into flow_log values (acc, obj, 1, now(), 'note', '{"text": "said"}');
      insert into tracker_event (account_id, project_id, type, occurred_at, received_at, source, details, event_key,
        handled_at, matched_at) values (acc, prj, 'issue_created', now(), now(), 'polling', '{}', 'e', now(), now())
        returning id into ev;
      insert into flow_event values (acc, obj, ev, obj);
      insert into issue_links_read values (acc, one, now());
      insert into mcp_server (account_id, id, name, url, auth_type) values (acc, obj, 'S', 'http://127.0.0.1', 'none');
      insert into one_time_token values (acc, me, 'reset_password', decode(md5('t' || acc), 'hex'), now())
        on conflict do nothing;
      insert into plan_usage (account_id, kind, month, taken)
        values (acc, 'api_calls', date_trunc('month', current_date), 1) on conflict do nothing;
      insert into present_item values (acc, prj, 'x');
      insert into project_webhook values (acc, trk, 'x', 'x', 'refused', 'u', 't', null, '\\x01', 1, 'p', now());
      insert into sample_link select acc, trk, project_identifier, number, project_identifier, number from sample_issue
        where account_id = acc limit 1;
      insert into subscription (account_id, customer_id, read_at) values (acc, 'cus_' || acc, now());
      insert into issue_series (account_id, id, key, frame, issues) values (acc, obj, 'step …', 'Step …', 3);
      insert into pair_judgment values (acc, least(one, two), greatest(one, two), 'same', 'Ada', now(), 'user');
      insert into pair_calibration values (acc, 1, 0, 40, 25, 15, 0.5, 0.4, now(), true);
      insert into cluster (account_id, id, name, canonical_reasons, probability) values (acc, obj, 'Export', '{}', 0.5);
      insert into cluster_member values (acc, one, obj)
        on conflict (account_id, issue_id) do update set cluster_id = excluded.cluster_id;
      insert into cluster_override values (acc, least(one, two), greatest(one, two), 'must', 'Ada', now());
      insert into cluster_event (account_id, cluster_id, type, text, by, at)
        values (acc, obj, 'decided', 'Decided.', 'Ada', now());
      insert into cluster_action values (acc, obj, 'Included.', now(), '[]', '[]', '[]');
      insert into cluster_stale (account_id, issue_id) values (acc, one);
      insert into stated_duplicate values (acc, one, 0, two, 'ada', 'Duplicate of #2');
      insert into suggestion values (acc, one, two, 'p', '\\x01', '{}', obj, now());
      insert into write_turn (account_id, issue_ids, is_shared, expires_at) values (acc, array[one], false, now());
      insert into usage_counter values (acc, 'api_calls', current_date, 1) on conflict do nothing;
      insert into verdict (account_id, issue_a, issue_b, asked_as, asked_until, has_failed)
        values (acc, one, two, '\\x01', now(), false);
      insert into webhook_delivery values (acc, trk, 'd', now());
      insert into search_stale values (acc, one) on conflict do nothing;
      insert into dependency_stale (account_id, issue_id) values (acc, one) on conflict do nothing;
    end $$`)
    .execute(db);
}
