import { Button } from '@mantine/core';
import { useId } from 'react';
import classes from '../../../ui/dialogs/discard-question.module.css';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';

export type ConfirmOpenQuestionsProps = { questions: number; onBack: () => void; onApply: () => void };

/**
 * Asks for confirmation before writing unanswered questions to the tracker. The button that returns
 * to the text has the initial focus.
 */
export function ConfirmOpenQuestions({ questions, onBack, onApply }: ConfirmOpenQuestionsProps) {
  const id = useId();
  const first = useInitialFocus<HTMLButtonElement>();
  return (
    <div className={classes.question} role="alertdialog" aria-labelledby={id}>
      <p id={id}>
        {questions === 1 ? '1 question is not answered.' : `${questions} questions are not answered.`} Write
        the text with {questions === 1 ? 'it' : 'them'}?
      </p>
      <Button ref={first} onClick={onBack}>
        Back to the text
      </Button>
      <Button variant="filled" onClick={onApply}>
        Apply as it is
      </Button>
    </div>
  );
}
