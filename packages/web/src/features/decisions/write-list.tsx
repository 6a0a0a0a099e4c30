import { Button, Textarea } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { type ChangePreview, MAX_MARKED_TEXT_CHARS } from '@winnow/contract/change';
import { type ReactNode, useId } from 'react';
import { foldLines } from '../issues/text/fold.ts';
import { layoutText } from '../issues/text/lines.ts';
import { TextLines } from '../issues/text/text-lines.tsx';
import { EditedTexts } from './edited-texts.tsx';
import { StepLine } from './step-line.tsx';
import { type StepLike, stateMove, writesText, writesToTracker } from './step-text.ts';
import steps from './steps.module.css';
import classes from './writes.module.css';

type EditedComments = {
  /** Comments edited by the user, by issue id. */
  comments: Readonly<Record<string, string>>;
  onComments: (comments: Readonly<Record<string, string>>) => void;
  disabled: boolean;
};

function CommentField({ step, edited }: { step: ChangePreview['steps'][number]; edited: EditedComments }) {
  const { comments, onComments, disabled } = edited;
  const { [step.target_id]: typed, ...others } = comments;
  const text = typed ?? step.after.comment ?? '';
  return (
    <>
      <Textarea
        aria-label={`Comment on ${step.target_key}`}
        className={classes.commentField ?? ''}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={MAX_MARKED_TEXT_CHARS}
        disabled={disabled}
        value={text}
        onChange={(event) => onComments({ ...comments, [step.target_id]: event.currentTarget.value })}
        error={text.trim() === '' ? 'A comment is needed.' : undefined}
      />
      {typed === undefined ? null : (
        <Button size="xs" variant="subtle" disabled={disabled} onClick={() => onComments(others)}>
          Use the suggested comment
        </Button>
      )}
    </>
  );
}

function Comment({ children, postedAs }: { children: ReactNode; postedAs: string | null }) {
  return (
    <div className={classes.comment}>
      {postedAs === null ? null : (
        <div className={classes.poster}>
          <span className={classes.avatar}>
            <IconUser size={12} stroke={2} aria-hidden />
          </span>
          Posted as {postedAs}
        </div>
      )}
      <div className={classes.commentText}>{children}</div>
    </div>
  );
}

function Move({ step }: { step: StepLike }) {
  const move = stateMove(step);
  if (move === null) return null;
  return (
    <span className={classes.move}>
      {move.from} <span aria-hidden="true">→</span>
      <span className="vh">becomes</span> {move.to}
    </span>
  );
}

export type WriteListProps = {
  preview: ChangePreview;
  /** Number of the first step. Default: 1. */
  first?: number;
  /** Names of the trackers to which the change writes. */
  trackers: readonly string[];
  /** Login under which comments are posted; null if unknown. */
  postedAs: string | null;
  /** Edited comments and their callbacks. If set, the user can edit the comments. */
  edited?: EditedComments;
};

/**
 * Lists every write of a change in execution order, with comments formatted like in the tracker.
 */
export function WriteList({ preview, first = 1, trackers, postedAs, edited }: WriteListProps) {
  const headingId = useId();
  const writes = preview.steps.filter((step) => writesToTracker(step.action));
  const numbered = preview.steps.map((step, index) => ({ step, number: first + index }));
  return (
    <section aria-labelledby={headingId}>
      <h3 className={classes.heading} id={headingId}>
        {writesText(writes.length, trackers)}
      </h3>
      {preview.rationale === null ? null : <p className={classes.rationale}>{preview.rationale}</p>}
      <ol className={steps.list}>
        {numbered.map(({ step, number }) => (
          <li className={steps.step} key={number}>
            <span className={steps.number} aria-hidden="true">
              {number}
            </span>
            <div className={steps.head}>
              <StepLine step={step} />
              <Move step={step} />
            </div>
            <EditedTexts before={step.before} after={step.after} />
            {step.after.comment === undefined ? null : (
              <Comment postedAs={postedAs}>
                {edited === undefined ? (
                  <TextLines rows={foldLines(layoutText(step.after.comment, [])).rows} />
                ) : (
                  <CommentField step={step} edited={edited} />
                )}
              </Comment>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
