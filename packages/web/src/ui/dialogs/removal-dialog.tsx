import type { UseMutationResult } from '@tanstack/react-query';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

/** Props that the opener of a removal dialog passes. The dialog itself provides the texts. */
export type RemovalProps<Item> = {
  opened: boolean;
  /** Item to remove. Must stay set during the closing animation. */
  item: Item | null;
  onClose: () => void;
  /** Called after the item, and with it the button that opened the dialog, has been removed. */
  onRemoved: (removed: Item) => void;
};

export type RemovalDialogProps<Item> = RemovalProps<Item> &
  Pick<ConfirmDialogProps, 'title' | 'errorTitle' | 'children'> & {
    confirmLabel?: string;
    removal: UseMutationResult<unknown, Error, Item>;
  };

/** Asks before an item is removed. Stays open while the removal runs, and when it fails. */
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
