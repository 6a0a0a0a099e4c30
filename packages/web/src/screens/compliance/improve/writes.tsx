import { Button } from '@mantine/core';
import type { ChangePreview } from '@winnow/contract/change';
import { StepLine } from '../../../features/decisions/step-line.tsx';
import { type StepLike, writesText, writesToTracker } from '../../../features/decisions/step-text.ts';
import { diffWords, wordCountsText } from '../../../ui/texts/word-diff.ts';
import classes from './improve.module.css';

/** Formats the number of words that a step adds and removes, such as `+14 −1 words`. */
function countsText({ before, after }: StepLike): string {
  const fields = (['title', 'description'] as const).flatMap((field) => {
    const text = after[field];
    return text === undefined ? [] : [`${field} ${wordCountsText(diffWords(before[field] ?? '', text))}`];
  });
  return fields.join(', ');
}

export type WritesProps = {
  preview: ChangePreview;
  /** Name of the tracker for use in a sentence. */
  tracker: string;
  /** True while the diff is displayed. */
  inDiff: boolean;
  onToggleDiff: () => void;
};

/**
 * Lists the writes to the tracker with the number of changed words. The diff shows the words
 * themselves.
 */
export function Writes({ preview, tracker, inDiff, onToggleDiff }: WritesProps) {
  const writes = preview.steps.filter((step) => writesToTracker(step.action)).length;
  return (
    <div className={classes.writes}>
      <h3 className={classes.heading}>{writesText(writes, [tracker])}</h3>
      <ol>
        {preview.steps.map((step) => (
          <li key={`${step.action} ${step.target_key}`}>
            <StepLine step={step} />
            <span className={classes.counts}>{countsText(step)}</span>
          </li>
        ))}
      </ol>
      <Button
        className={classes.show ?? ''}
        variant="transparent"
        color="accent"
        size="xs"
        onClick={onToggleDiff}
      >
        {inDiff ? 'Edit the text' : 'Show the diff'}
      </Button>
    </div>
  );
}
