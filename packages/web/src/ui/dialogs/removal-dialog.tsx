import type { UseMutationResult } from '@tanstack/react-query';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

/** What somebody who opens the dialog says; the words in it are its own. */
export type Removing<Item> = {
  opened: boolean;
  /** What is asked about. It stays set while the dialog closes. */
  item: Item | null;
  onClose: () => void;
  /** After it is gone, and with it the button that opened the dialog. */
  onRemoved: (removed: Item) => void;
};

export type RemovalDialogProps<Item> = Removing<Item> &
  Pick<ConfirmDialogProps, 'title' | 'errorTitle' | 'children'> & {
    confirmLabel?: string;
    removal: UseMutationResult<unknown, Error, Item>;
  };

/** Asks before something is removed. It stays open while that is under way, and when it failed. */
export function RemovalDialog<Item>(props: RemovalDialogProps<Item>) {
  const { opened, item, onClose, onRemoved, removal: mutation, confirmLabel = 'Delete', ...words } = props;
  const removal = useOneAtATime(mutation);
  function close(): void {
    removal.reset();
    onClose();
  }
  return (
    <ConfirmDialog
      {...words}
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
