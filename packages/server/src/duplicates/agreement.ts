import type { ModelAgreement } from '@winnow/contract/ai-model';
import type { PairJudgment, Resolution } from '@winnow/contract/duplicate';
import type { Db } from '../schema/tables.ts';
import { type CountedVerdicts, countVerdicts, type Decision } from './agreement-store.ts';

/**
 * The judgment that corresponds to each decision of a model or the built-in analyst. Null agrees
 * with no judgment.
 */
const JUDGMENT_OF_DECISION: Readonly<Record<Decision, PairJudgment | null>> = {
  duplicate: 'same',
  overlapping: 'related',
  unrelated: 'different',
  undecided: null,
};

/** The judgment that corresponds to each resolution by a person. */
const JUDGMENT_OF_RESOLUTION: Readonly<Record<Resolution, PairJudgment>> = {
  closed: 'same',
  merged: 'same',
  deconflicted: 'related',
  unrelated: 'different',
};

/** Returns the judgment that corresponds to the built-in analyst's verdict; null if none does. */
function judgmentOfBuiltIn(row: CountedVerdicts): PairJudgment | null {
  return row.built_in_relation === 'likely_same' ? 'same' : JUDGMENT_OF_DECISION[row.built_in_decision];
}

/**
 * Agreement of a model with people, counted per model identifier, since a model's identifier can
 * change.
 */
export interface AgreementOfModel extends ModelAgreement {
  aiModelId: string;
  modelIdentifier: string;
}

/**
 * Compares verdicts with what people decided about the same pairs. The verdicts are those of the
 * account's models, and of the built-in analyst at that time. If a person judged and resolved a
 * pair, the judgment counts. Leaves out judgments of API keys, and resolutions that no person made
 * or approved.
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
