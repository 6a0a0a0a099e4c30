import { useMemo } from 'react';
import { diffWords, wordCountsText } from '../../ui/texts/word-diff.ts';
import { WordDiff } from '../../ui/texts/word-diff.tsx';
import type { StepLike } from './step-text.ts';
import classes from './writes.module.css';

function EditedText({ name, before, after }: { name: string; before: string; after: string }) {
  const counts = useMemo(() => wordCountsText(diffWords(before, after)), [before, after]);
  return (
    <div className={classes.edited}>
      <p className={classes.editedHead}>
        {name}
        <span className={classes.counts}>{counts}</span>
      </p>
      <div className={classes.editedText}>
        <WordDiff before={before} after={after} />
      </div>
    </div>
  );
}

/** Word-by-word diff of the title and description, if a step edits them. */
export function EditedTexts({ before, after }: Pick<StepLike, 'before' | 'after'>) {
  return (
    <>
      {after.title === undefined ? null : (
        <EditedText name="Title" before={before.title ?? ''} after={after.title} />
      )}
      {after.description === undefined ? null : (
        <EditedText name="Description" before={before.description ?? ''} after={after.description} />
      )}
    </>
  );
}
