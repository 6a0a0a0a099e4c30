import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { UnsavedGuard } from '../../../../ui/dialogs/unsaved-guard.tsx';
import keys from '../../api-keys/api-keys.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';

const CODES_LOST = {
  question: 'Leave without the recovery codes? They are only shown once.',
  keep: 'Stay',
  discard: 'Leave',
};

export type FactorModalProps = {
  opened: boolean;
  title: string;
  /** Recovery codes to show instead of the form; null before there are any. */
  codes: readonly string[] | null;
  /** True while a request runs whose answer may be new codes. */
  pending: boolean;
  onClose: () => void;
  /** Called after the closing animation. */
  onClosed: () => void;
  /** The form that leads to the codes. */
  children: ReactNode;
};

/**
 * A dialog that ends with recovery codes. It stays open until the codes were copied or downloaded,
 * or the user confirmed that they are not needed.
 */
export function FactorModal({
  opened,
  title,
  codes,
  pending,
  onClose,
  onClosed,
  children,
}: FactorModalProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [isTaken, setTaken] = useState(false);
  const [asking, setAsking] = useState(false);
  const focused = useRef<HTMLElement>(null);
  const isOnlyHere = opened && (pending || (codes !== null && !isTaken));
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
      title={codes === null ? title : 'Your recovery codes'}
      size={440}
      fullScreen={narrow}
      closeOnClickOutside={false}
      closeOnEscape={!pending}
      closeButtonProps={{ 'aria-label': 'Close', disabled: pending }}
      classNames={{ body: keys.dialog ?? '' }}
    >
      <div className={keys.step}>
        {codes === null ? (
          children
        ) : (
          <RecoveryCodes codes={codes} onTaken={() => setTaken(true)} onClose={close} />
        )}
      </div>
      {opened ? (
        <UnsavedGuard
          unsaved={isOnlyHere}
          asking={asking}
          texts={CODES_LOST}
          onAsk={ask}
          onKeep={keep}
          onDiscard={close}
        />
      ) : null}
    </Modal>
  );
}
