import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from '../states/error-state.tsx';

export type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  /** What is about to happen, in a sentence or two. */
  children: ReactNode;
  /** A verb: 'Delete', 'Revoke'. */
  confirmLabel: string;
  /** Red, for what cannot be taken back. */
  destructive?: boolean;
  /** True while there is nothing to confirm yet. */
  confirmDisabled?: boolean;
  pending?: boolean;
  /** Shown in the dialog, which stays open. */
  error?: unknown;
  /** What could not be done, above the error's own sentence. */
  errorTitle?: string;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something happens. The focus starts on Cancel, so that Enter alone destroys nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    opened,
    title,
    children,
    confirmLabel,
    destructive = false,
    confirmDisabled = false,
    pending = false,
    error,
    errorTitle,
  } = props;
  return (
    <Modal opened={opened} onClose={props.onClose} title={title} size="sm">
      <div>{children}</div>
      {error ? (
        <div style={{ marginTop: 16 }}>
          <ErrorState error={error} title={errorTitle} />
        </div>
      ) : null}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          variant="filled"
          color={destructive ? 'danger' : 'accent'}
          loading={pending}
          disabled={confirmDisabled}
          onClick={props.onConfirm}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
