import type { UseMutationResult } from '@tanstack/react-query';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

/**
 * Props that the component with the Delete button passes to a removal dialog. The dialog provides
 * its own texts.
 */
export type RemovalProps<Item> = {
  opened: boolean;
  /** Item to remove. It must stay set during the closing animation. */
  item: Item | null;
  onClose: () => void;
  /**
   * Called after the item has been removed. The button that opened the dialog is removed together
   * with the item.
   */
  onRemoved: (removed: Item) => void;
};

export type RemovalDialogProps<Item> = RemovalProps<Item> &
  Pick<ConfirmDialogProps, 'title' | 'errorTitle' | 'children'> & {
    confirmLabel?: string;
    removal: UseMutationResult<unknown, Error, Item>;
  };

/**
 * Asks for confirmation before an item is removed. The dialog stays open while the removal runs,
 * and if it fails.
 */
export function RemovalDialog<Item>(props: RemovalDialogProps<Item>) {
  const { opened, item, onClose, onRemoved, removal: mutation, confirmLabel = 'Delete', ...texts } = props;
  const removal = useOneAtATime(mutation);
  function close(): void {
    removal.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      {...texts}
      opened={opened && item !== null}
      confirmLabel={confirmLabel}
      destructive
      pending={removal.isPending}
      error={removal.error}
      onClose={close}
      onConfirm={() => {
        if (item === null) return;
        removal.mutate(item, {
          onSuccess: () => {
            close();
            onRemoved(item);
          },
        });
      }}
    />
  );
}
