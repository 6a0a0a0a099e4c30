import type { ModelAgreement } from '@winnow/contract/ai-model';
import type { PairJudgment, Resolution } from '@winnow/contract/duplicate';
import type { Db } from '../schema/tables.ts';
import { type CountedVerdicts, countVerdicts, type Decision } from './agreement-store.ts';

/**
 * For each decision of an analyst: the judgment of a person that agrees with it. Null if no
 * judgment agrees.
 */
const JUDGMENT_OF_DECISION: Readonly<Record<Decision, PairJudgment | null>> = {
  duplicate: 'same',
  overlapping: 'related',
  unrelated: 'different',
  undecided: null,
};

/** For each resolution by a person: the judgment that it implies. */
const JUDGMENT_OF_RESOLUTION: Readonly<Record<Resolution, PairJudgment>> = {
  closed: 'same',
  merged: 'same',
  deconflicted: 'related',
  unrelated: 'different',
};

/** Returns the judgment that agrees with the built-in analyst's verdict; null if none does. */
function judgmentOfBuiltIn(row: CountedVerdicts): PairJudgment | null {
  return row.built_in_relation === 'likely_same' ? 'same' : JUDGMENT_OF_DECISION[row.built_in_decision];
}

/**
 * Agreement of a model with people. Counted separately for each model identifier, because the
 * connection's identifier can change.
 */
export interface AgreementOfModel extends ModelAgreement {
  aiModelId: string;
  modelIdentifier: string;
}

/**
 * Compares verdicts with people's decisions about the same pairs. Considers verdicts of the
 * account's models, and those of the built-in analyst from the same time.
 *
 * If a person both judged and resolved a pair, the judgment counts. Excludes judgments by API keys,
 * and resolutions that no person made or approved.
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
    if (judgmentOfBuiltIn(row) === said) counted.built_in_agreed += row.pairs;
    byModel.set(key, counted);
  }
  return [...byModel.values()];
}
