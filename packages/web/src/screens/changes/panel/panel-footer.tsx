import { Button } from '@mantine/core';
import type { Change } from '@winnow/contract/change';
import classes from '../../../features/changes/change-panel.module.css';
import { writtenStepsText } from '../../../features/changes/change-texts.ts';
import {
  availableActions,
  type ChangeAction,
  type ChangeActions,
} from '../../../features/changes/use-change-actions.ts';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';

const KEY_CAPS: Record<ChangeAction, string | null> = { approve: 'a', reject: 'r', retry: null, undo: 'z' };

function labelOf(kind: ChangeAction, { status }: Change): string {
  switch (kind) {
    case 'approve':
      return 'Approve';
    case 'reject':
      return 'Reject';
    case 'retry':
      return 'Retry';
    case 'undo':
      return status === 'partly_applied' ? 'Undo what was written' : 'Undo';
  }
}

/** Footer of the change panel, with the available actions and their progress. */
export function PanelFooter({ change, deciding }: { change: Change; deciding: ChangeActions }) {
  const pending = deciding.pendingOn(change.id);
  const stopped = change.status === 'partly_applied' || change.status === 'failed';
  return (
    <>
      <PermissionGate needs="write">
        {availableActions(change).map((kind) => {
          const keyCap = KEY_CAPS[kind];
          return (
            <Button
              key={kind}
              variant={kind === 'approve' || kind === 'retry' ? 'filled' : 'default'}
              loading={pending === kind}
              disabled={pending !== null && pending !== kind}
              rightSection={keyCap === null ? undefined : <KeyCap>{keyCap}</KeyCap>}
              onClick={() => deciding.decide(kind, change)}
            >
              {labelOf(kind, change)}
            </Button>
          );
        })}
      </PermissionGate>
      <span className={classes.standing}>{stopped ? null : writtenStepsText(change)}</span>
    </>
  );
}
