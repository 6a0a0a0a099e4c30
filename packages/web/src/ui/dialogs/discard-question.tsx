import { Button } from '@mantine/core';
import { useId } from 'react';
import classes from './discard-question.module.css';
import { useInitialFocus } from './use-initial-focus.ts';

/** The question and the labels of its two buttons. */
export type DiscardTexts = { question: string; keep: string; discard: string };
const DEFAULT_TEXTS: DiscardTexts = {
  question: 'Discard what you typed?',
  keep: 'Keep editing',
  discard: 'Discard',
};

export type DiscardQuestionProps = { texts?: DiscardTexts; onKeep: () => void; onDiscard: () => void };

/**
 * Asks the user before unsaved input is discarded. `texts` replaces the question and the button
 * labels. The focus starts on the button that retains the input.
 */
export function DiscardQuestion({ texts = DEFAULT_TEXTS, onKeep, onDiscard }: DiscardQuestionProps) {
  const id = useId();
  const first = useInitialFocus<HTMLButtonElement>();
  return (
    <div className={classes.question} role="alertdialog" aria-labelledby={id}>
      <p id={id}>{texts.question}</p>
      <Button onClick={onKeep} ref={first}>
        {texts.keep}
      </Button>
      <Button variant="filled" color="danger" onClick={onDiscard}>
        {texts.discard}
      </Button>
    </div>
  );
}
