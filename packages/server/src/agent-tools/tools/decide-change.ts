import { AppError } from '../../platform/errors.ts';
import { presentWrite } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const decideChange: RunTool<'decide_change'> = async ({ ledger }, caller, input) => {
  const { accountId } = caller;
  const { actor, ...how } = await caller.changeRequest();
  const { change_id: changeId, decision } = input;
  switch (decision) {
    case 'approve':
      await unlessDecided(() => ledger.approve(accountId, actor, changeId, how));
      return presentWrite(await ledger.whenSettled(accountId, changeId));
    case 'reject':
      await unlessDecided(() => ledger.reject(accountId, actor, changeId));
      return presentWrite(await ledger.get(accountId, changeId));
    case 'undo': {
      const undoId = await ledger.undo(accountId, actor, changeId, how);
      return presentWrite(await ledger.whenSettled(accountId, undoId));
    }
  }

  /**
   * Runs `decide`. Ignores the error that says that the caller has already made this decision. The
   * error occurs when a call with an idempotency key is repeated.
   */
  async function unlessDecided(decide: () => Promise<void>): Promise<void> {
    try {
      await decide();
    } catch (error) {
      const isLate = error instanceof AppError && error.code === 'not_proposed';
      if (!isLate || input.idempotency_key === undefined) throw error;
      const { change } = await ledger.get(accountId, changeId);
      const isSame = (change.status === 'rejected') === (decision === 'reject');
      if (change.decided_by !== actor.name || !isSame) throw error;
    }
  }
};
