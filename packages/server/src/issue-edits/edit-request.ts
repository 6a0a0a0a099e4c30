import type { ChangePlan, ChangeRequest } from '../changes/index.ts';
import type { EditPlan } from './plan.ts';

/** A requested edit: the caller, the reason, and whether the edit is applied or proposed. */
export interface EditRequest extends ChangeRequest {
  reason: string | null;
  /** True if the caller may read existing data. */
  mayRead: boolean;
}

/** Builds the change that carries out a requested edit. */
export function toChangePlan(
  { actor, reason }: EditRequest,
  edit: EditPlan,
  payload: Record<string, unknown> = {},
): ChangePlan {
  return {
    ...edit,
    kind: actor.type === 'flow' ? 'flow' : 'mcp',
    rationale: reason,
    confidence: null,
    payload,
  };
}
