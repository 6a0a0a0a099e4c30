import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { CreatedApiKey } from '@winnow/contract/api-key';
import { useRef, useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { UnsavedGuard } from '../../../ui/dialogs/unsaved-guard.tsx';
import classes from './api-keys.module.css';
import { CreateKey } from './create-key.tsx';
import { NewKey } from './new-key.tsx';
import { useCreateApiKey } from './queries.ts';

const KEY_LOST = {
  question: 'Leave without the key? It is only shown once.',
  keep: 'Stay',
  discard: 'Leave',
};

export type KeyDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** Called after the closing animation. */
  onClosed: () => void;
};

/**
 * Dialog that creates an API key and shows it once. It closes only after the user copied the key,
 * pressed Done, or confirmed to leave without the key.
 */
export function KeyDialog({ opened, onClose, onClosed }: KeyDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const creation = useOneAtATime(useCreateApiKey());
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [isTaken, setTaken] = useState(false);
  const [asking, setAsking] = useState(false);
  const focused = useRef<HTMLElement>(null);
  const isOnlyHere = opened && (creation.isPending || (created !== null && !isTaken));
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
        setCreated(null);
        setTaken(false);
        creation.reset();
        onClosed();
      }}
      title={created === null ? 'Create API Key' : 'Your new API key'}
      size={520}
      yOffset="12dvh"
      fullScreen={narrow}
      closeOnClickOutside={false}
      closeOnEscape={created === null && !creation.isPending}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close', disabled: creation.isPending }}
      classNames={{ body: classes.dialog ?? '' }}
    >
      <div className={classes.step}>
        {created === null ? (
          <CreateKey creation={creation} onCreated={setCreated} onClose={close} />
        ) : (
          <NewKey created={created} onTaken={() => setTaken(true)} onClose={close} />
        )}
      </div>
      {opened ? (
        <UnsavedGuard
          unsaved={isOnlyHere}
          asking={asking}
          texts={KEY_LOST}
          onAsk={ask}
          onKeep={keep}
          onDiscard={close}
        />
      ) : null}
    </Modal>
  );
}
