import { Button } from '@mantine/core';
import { useId } from 'react';
import { useInitialFocus } from './use-initial-focus.ts';
import classes from './write-dialog.module.css';

/** Asks before what was typed is lost. The focus starts on the answer that loses nothing. */
export function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const id = useId();
  const first = useInitialFocus<HTMLButtonElement>();
  return (
    <div className={classes.question} role="alertdialog" aria-labelledby={id}>
      <p id={id}>Discard what you typed?</p>
      <Button onClick={onKeep} ref={first}>
        Keep editing
      </Button>
      <Button variant="filled" color="danger" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}
