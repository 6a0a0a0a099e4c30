import { Button } from '@mantine/core';
import { useId } from 'react';
import classes from './discard-question.module.css';
import { useInitialFocus } from './use-initial-focus.ts';

/** What is asked, and the two answers. */
export type DiscardWords = { question: string; keep: string; discard: string };
const TYPED: DiscardWords = { question: 'Discard what you typed?', keep: 'Keep editing', discard: 'Discard' };

export type DiscardQuestionProps = { words?: DiscardWords; onKeep: () => void; onDiscard: () => void };

/** Asks before something is lost: what was typed, unless `words` say what. The focus starts on the answer that loses nothing. */
export function DiscardQuestion({ words = TYPED, onKeep, onDiscard }: DiscardQuestionProps) {
  const id = useId();
  const first = useInitialFocus<HTMLButtonElement>();
  return (
    <div className={classes.question} role="alertdialog" aria-labelledby={id}>
      <p id={id}>{words.question}</p>
      <Button onClick={onKeep} ref={first}>
        {words.keep}
      </Button>
      <Button variant="filled" color="danger" onClick={onDiscard}>
        {words.discard}
      </Button>
    </div>
  );
}
