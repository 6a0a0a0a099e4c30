import type { PairJudgment, Resolution } from '@winnow/contract/duplicate';
import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { VerdictRow } from './verdict-store.ts';

export type Decision = NonNullable<VerdictRow['decision']>;

/**
 * Number of pairs with the same combination of three answers: by a model, by the built-in analyst,
 * and by a person.
 */
export interface CountedVerdicts {
  ai_model_id: string;
  model_identifier: string;
  decision: Decision;
  built_in_decision: Decision;
  built_in_relation: VerdictRow['built_in_relation'];
  /** Judgment of the person. At least one of `judgment` and `resolution` is set. */
  judgment: PairJudgment | null;
  resolution: Resolution | null;
  pairs: number;
}

/**
 * Counts the pairs on which both a model and a person gave an answer, grouped by the combination of
 * answers.
 */
export async function countVerdicts(db: Db, accountId: string): Promise<CountedVerdicts[]> {
  const { rows } = await sql<CountedVerdicts>`
    select verdict.ai_model_id, verdict.model_identifier, verdict.decision, verdict.built_in_decision,
           verdict.built_in_relation, pair_judgment.judgment, decided.resolution, count(*)::int as pairs
    from verdict
    left join pair_judgment on pair_judgment.account_id = verdict.account_id
      and pair_judgment.issue_a = verdict.issue_a and pair_judgment.issue_b = verdict.issue_b
      and pair_judgment.judged_by_type = 'user'
    left join lateral (
      select pair.resolution from pair
      join change on change.account_id = pair.account_id and change.id = pair.change_id
      where pair.account_id = verdict.account_id
        and pair.issue_a = verdict.issue_a and pair.issue_b = verdict.issue_b and pair.resolution is not null
        and 'user' in (change.actor_type, change.decided_by_type)
    ) as decided on true
    where verdict.account_id = ${accountId} and verdict.built_in_decision is not null
      and coalesce(pair_judgment.judgment, decided.resolution) is not null
    group by 1, 2, 3, 4, 5, 6, 7
  `.execute(db);
  return rows;
}
