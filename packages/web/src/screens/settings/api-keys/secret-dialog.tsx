import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import type { DiscardTexts } from '../../../ui/dialogs/discard-question.tsx';
import { UnsavedGuard } from '../../../ui/dialogs/unsaved-guard.tsx';
import classes from './api-keys.module.css';

export type SecretDialogProps = {
  opened: boolean;
  title: string;
  width: number;
  /** True while a request runs whose response may contain the secret. */
  pending: boolean;
  /**
   * Shows the secret instead of the form; null before there is one. Call `onTaken` when the user
   * has copied it, `onClose` when the user is done.
   */
  secret: { title: string; show: (on: { onTaken: () => void; onClose: () => void }) => ReactNode } | null;
  /** Asks before the secret is lost. */
  texts: DiscardTexts;
  onClose: () => void;
  /** Called after the closing animation. */
  onClosed: () => void;
  /** The form that leads to the secret. */
  children: ReactNode;
};

/**
 * A dialog that ends with a secret that is shown once. It stays open until the user has copied the
 * secret, pressed Done, or confirmed that it is not needed. The caller moves the focus when it is
 * closed.
 */
export function SecretDialog(props: SecretDialogProps) {
  const { opened, title, width, pending, secret, texts, onClose, onClosed, children } = props;
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [isTaken, setTaken] = useState(false);
  const [asking, setAsking] = useState(false);
  const focused = useRef<HTMLElement>(null);
  const isOnlyHere = opened && (pending || (secret !== null && !isTaken));
  const ask = () => {
    focused.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setAsking(true);
  };
  const keep = () => {
    setAsking(false);
    focused.current?.focus();
  };
  const close = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => (isOnlyHere ? ask() : close())}
      onExitTransitionEnd={() => {
        setTaken(false);
        onClosed();
      }}
      title={secret === null ? title : secret.title}
      size={width}
      yOffset="12dvh"
      fullScreen={narrow}
      closeOnClickOutside={false}
      closeOnEscape={!pending && !(secret !== null && isTaken)}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close', disabled: pending }}
      classNames={{ body: classes.dialog ?? '' }}
    >
      <div className={classes.step}>
        {secret === null ? children : secret.show({ onTaken: () => setTaken(true), onClose: close })}
      </div>
      {opened ? (
        <UnsavedGuard
          unsaved={isOnlyHere}
          asking={asking}
          texts={texts}
          onAsk={ask}
          onKeep={keep}
          onDiscard={close}
        />
      ) : null}
    </Modal>
  );
}
