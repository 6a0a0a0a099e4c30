import type { ChangeRequest } from '../changes/ledger.ts';
import type { ChangePlan } from '../changes/plan.ts';
import type { EditPlan } from './plan.ts';

/** How an edit is asked for, and why. */
export interface Request extends ChangeRequest {
  reason: string | null;
  /** Whether who asks may be told of what is there. */
  mayRead: boolean;
}

/** The change that makes an edit which somebody asks for. */
export function planOfEdit(
  { actor, reason }: Request,
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
