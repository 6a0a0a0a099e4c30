import { Button } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { IconAlertTriangle, IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react';
import { toneTokens } from '../../theme/tones.ts';
import { KeyCap } from '../keyboard/key-cap.tsx';
import classes from './toast.module.css';

type ToastAction = { label: string; keyCap?: string; run: () => void };

export type Toast = {
  /** Id of the toast. A later toast with the same id replaces it. */
  id: string;
  kind: 'done' | 'undone' | 'failed' | 'working';
  text: string;
  action?: ToastAction;
};

const ICON = { size: 16, stroke: 1.75 } as const;
/** Appearance and lifetime for each kind of toast. Failures stay until the user closes them. */
const TOAST_LOOKS = {
  done: { icon: <IconCircleCheck {...ICON} />, color: 'success', autoClose: 8000, loading: false },
  undone: { icon: <IconArrowBackUp {...ICON} />, color: 'neutral', autoClose: 5000, loading: false },
  failed: { icon: <IconAlertTriangle {...ICON} />, color: 'danger', autoClose: false, loading: false },
  working: { icon: null, color: 'neutral', autoClose: false, loading: true },
} as const;

/** Id of the toast on screen that is not a failure. There is at most one. Null if there is none. */
let statusToastId: string | null = null;

/**
 * Shows a toast. It replaces the toast with the same id, and any other toast that is not a failure.
 */
export function showToast({ id, kind, text, action }: Toast): void {
  const button = action && (
    <Button
      size="xs"
      onClick={() => {
        notifications.hide(id);
        action.run();
      }}
      rightSection={action.keyCap === undefined ? undefined : <KeyCap>{action.keyCap}</KeyCap>}
    >
      {action.label}
    </Button>
  );
  const toast = {
    id,
    ...TOAST_LOOKS[kind],
    styles: { icon: { color: toneTokens(TOAST_LOOKS[kind].color).text } },
    role: kind === 'failed' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Close this message' },
    message: (
      <div className={classes.line}>
        <span className={classes.text}>{text}</span>
        {button}
      </div>
    ),
  };
  if (statusToastId !== null && statusToastId !== id) notifications.hide(statusToastId);
  statusToastId = kind === 'failed' ? null : id;
  const isShown = notificationsStore.getState().notifications.some((shown) => shown.id === id);
  if (isShown) notifications.update(toast);
  else notifications.show(toast);
}
