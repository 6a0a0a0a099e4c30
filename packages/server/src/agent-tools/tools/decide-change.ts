import { writtenAnswer } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const decideChange: RunTool<'decide_change'> = async ({ ledger }, caller, input) => {
  const { accountId } = caller;
  const { actor, signal } = await caller.asked();
  const { change_id: changeId, decision } = input;
  switch (decision) {
    case 'approve':
      await ledger.approve(accountId, actor, changeId, { signal });
      return writtenAnswer(await ledger.whenSettled(accountId, changeId));
    case 'reject':
      await ledger.reject(accountId, actor, changeId);
      return writtenAnswer(await ledger.get(accountId, changeId));
    case 'undo': {
      const undoId = await ledger.undo(accountId, actor, changeId, { signal });
      return writtenAnswer(await ledger.whenSettled(accountId, undoId));
    }
  }
};
