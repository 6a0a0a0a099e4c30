import type { ModelAgreement } from '@winnow/contract/ai-model';
import type { PairJudgment, Resolution } from '@winnow/contract/duplicate';
import type { Db } from '../schema/tables.ts';
import { countVerdicts, type Decision } from './agreement-store.ts';

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

/**
 * Compares the verdicts of an account's models, and of the built-in analyst at that time, with what
 * people said about the same pairs. A judgment counts before a decision. Decisions that no
 * person made or approved are left out.
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
