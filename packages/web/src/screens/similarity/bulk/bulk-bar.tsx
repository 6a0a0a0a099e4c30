import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import classes from './bulk.module.css';
import { pairsCount } from './bulk-texts.ts';
import type { BulkKind } from './use-bulk.ts';
import type { Selection } from './use-selection.ts';

/**
 * Buttons for actions on the selected pairs, with the number of pairs. Renders nothing if no pair
 * is selected.
 */
export function BulkBar({ selection, onAsk }: { selection: Selection; onAsk: (kind: BulkKind) => void }) {
  const count = selection.pairs.length;
  return (
    <div className={classes.holder}>
      <p className="vh" role="status">
        {count === 0 ? '' : `${pairsCount(count)} selected`}
      </p>
      {count === 0 ? null : (
        <section className={classes.bar} aria-label="Selected pairs">
          <b className={classes.count}>{countText(count)} selected</b>
          <PermissionGate needs="write">
            <Button
              size="xs"
              variant="filled"
              onClick={() => onAsk('close')}
              rightSection={<KeyCap>d</KeyCap>}
            >
              Close as Duplicate
            </Button>
            <Button size="xs" onClick={() => onAsk('unrelated')} rightSection={<KeyCap>u</KeyCap>}>
              Mark as Unrelated
            </Button>
          </PermissionGate>
          <PermissionGate needs="triage">
            <Button size="xs" onClick={() => onAsk('dismiss')} rightSection={<KeyCap>e</KeyCap>}>
              Dismiss
            </Button>
          </PermissionGate>
          <Tooltip label="Clear the selection">
            <ActionIcon aria-label="Clear the selection" onClick={selection.clear}>
              <IconX size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </section>
      )}
    </div>
  );
}
