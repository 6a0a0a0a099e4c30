import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from '../states/error-state.tsx';

export type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  /** One or two sentences about the effect of the action. */
  children: ReactNode;
  /** Label of the button that confirms: a verb such as `Delete` or `Revoke`. */
  confirmLabel: string;
  /** True for actions that cannot be undone. The button is then red. */
  destructive?: boolean;
  /** True while the action cannot be confirmed yet. */
  confirmDisabled?: boolean;
  pending?: boolean;
  /** Error to show in the dialog. The dialog stays open. */
  error?: unknown;
  /** Title above the error message, which names the failed action. */
  errorTitle?: string;
  onConfirm: () => void;
  onClose: () => void;
};

/**
 * Asks for confirmation. The focus starts on Cancel, so that pressing Enter does not confirm
 * accidentally.
 */
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
