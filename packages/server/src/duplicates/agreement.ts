import type { ModelAgreement } from '@winnow/contract/ai-model';
import type { PairJudgment, Resolution } from '@winnow/contract/duplicate';
import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { VerdictRow } from './verdict-store.ts';

type Decision = NonNullable<VerdictRow['decision']>;

/** The judgment that each verdict amounts to; null agrees with none. Applies to every analyst. */
const JUDGMENT_OF_DECISION: Readonly<Record<Decision, PairJudgment | null>> = {
  duplicate: 'same',
  overlapping: 'related',
  unrelated: 'different',
  undecided: null,
};

/** The judgment that each decision of a person amounts to. */
const JUDGMENT_OF_RESOLUTION: Readonly<Record<Resolution, PairJudgment>> = {
  closed: 'same',
  merged: 'same',
  deconflicted: 'related',
  unrelated: 'different',
};

/** Agreement of a model with people, for one model identifier that it has had. */
export interface AgreementOfModel extends ModelAgreement {
  aiModelId: string;
  modelIdentifier: string;
}

interface Counted {
  ai_model_id: string;
  model_identifier: string;
  decision: Decision;
  built_in_decision: Decision;
  /** At least one of these two is set. */
  judgment: PairJudgment | null;
  resolution: Resolution | null;
  pairs: number;
}

/**
 * Compares the verdicts of an account's models with what people said about the same pairs, and does
 * the same for what the built-in analyst said then. A judgment counts before a decision. Decisions
 * that no person made or approved are left out.
 */
export async function agreementWithPeople(db: Db, accountId: string): Promise<AgreementOfModel[]> {
  const byModel = new Map<string, AgreementOfModel>();
  for (const row of await countVerdicts(db, accountId)) {
    const said = row.judgment ?? (row.resolution && JUDGMENT_OF_RESOLUTION[row.resolution]);
    const key = `${row.ai_model_id} ${row.model_identifier}`;
    const counted = byModel.get(key) ?? {
      aiModelId: row.ai_model_id,
      modelIdentifier: row.model_identifier,
      pairs: 0,
      agreed: 0,
      built_in_agreed: 0,
    };
    counted.pairs += row.pairs;
    if (JUDGMENT_OF_DECISION[row.decision] === said) counted.agreed += row.pairs;
    if (JUDGMENT_OF_DECISION[row.built_in_decision] === said) counted.built_in_agreed += row.pairs;
    byModel.set(key, counted);
  }
  return [...byModel.values()];
}

/** Counts the verdicts on pairs that people judged or decided, by what everyone said. */
async function countVerdicts(db: Db, accountId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select verdict.ai_model_id, verdict.model_identifier, verdict.decision, verdict.built_in_decision,
           pair_judgment.judgment, decided.resolution, count(*)::int as pairs
    from verdict
    left join pair_judgment on pair_judgment.account_id = verdict.account_id
      and pair_judgment.issue_a = verdict.issue_a and pair_judgment.issue_b = verdict.issue_b
    left join lateral (
      select pair.resolution from pair
      join change on change.account_id = pair.account_id and change.id = pair.change_id
      where pair.account_id = verdict.account_id
        and pair.issue_a = verdict.issue_a and pair.issue_b = verdict.issue_b and pair.resolution is not null
        -- Without an approval, the one who asked for a change is stored as the one who decided it.
        and (change.actor_type = 'user' or change.decided_by <> change.actor_name)
    ) as decided on true
    where verdict.account_id = ${accountId} and verdict.built_in_decision is not null
      and coalesce(pair_judgment.judgment, decided.resolution) is not null
    group by 1, 2, 3, 4, 5, 6
  `.execute(db);
  return rows;
}
