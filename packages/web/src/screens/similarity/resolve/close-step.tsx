import { Radio } from '@mantine/core';
import type { ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import { type Ref, useState } from 'react';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { pairKeyOf } from '../../../features/pairs/pair-key.ts';
import { useEditedPreview } from '../../../features/write-dialog/use-edited-preview.ts';
import { useInitialFocus } from '../../../ui/dialogs/use-initial-focus.ts';
import { type CloseChoice, suggestedClose } from '../suggestion.ts';
import { commentsPayload, type Drafts } from '../text-drafts.ts';
import { ConfirmStep } from './confirm-step.tsx';
import { IssueBrief } from './issue-brief.tsx';
import classes from './resolve-dialog.module.css';
import type { Resolving } from './use-resolve.ts';

const CLOSE_RESOLUTIONS: readonly CloseChoice[] = ['close_a', 'close_b'];

type ChoiceCardProps = {
  choice: CloseChoice;
  pair: Pair;
  /** True if this card is focused when the dialog opens. */
  initial: boolean;
  ref: Ref<HTMLButtonElement> | undefined;
};

function ChoiceCard({ choice, pair, initial, ref }: ChoiceCardProps) {
  const [loser, survivor] = choice === 'close_a' ? [pair.issue1, pair.issue2] : [pair.issue2, pair.issue1];
  const closed = loser.state === 'closed';
  return (
    <Radio.Card
      className={classes.card ?? ''}
      value={choice}
      disabled={closed}
      data-autofocus={initial || undefined}
      ref={ref}
    >
      <Radio.Indicator className={classes.indicator ?? ''} />
      <span className={classes.cardBody}>
        <IssueBrief issue={loser} />
        <span className={classes.cardText}>
          {closed ? 'Closed already.' : `Closes it as a duplicate of ${keyBeside(survivor, loser)}.`}
        </span>
      </span>
    </Radio.Card>
  );
}

export type CloseStepProps = {
  pair: Pair;
  /** The pair with content hashes; undefined while loading. */
  detail: PairDetail | undefined;
  resolving: Resolving;
  drafts: Drafts;
  onDrafts: (drafts: Drafts) => void;
  onBack: () => void;
};

/** Dialog step for selecting the issue to close. The resulting writes are displayed beside it. */
export function CloseStep({ pair, detail, resolving, drafts, onDrafts, onBack }: CloseStepProps) {
  const { comments } = drafts;
  const [chosen, setChosen] = useState<CloseChoice | null>(null);
  // Computed only once, so that the selection does not change while the user reads.
  const [suggested] = useState(() => suggestedClose(pair) ?? 'close_b');
  const choice = chosen ?? suggested;
  const first = useInitialFocus<HTMLButtonElement>();
  const payload: ResolutionPayload = {
    ...pairKeyOf(pair),
    resolution: choice,
    ...commentsPayload(comments),
  };
  const edited = Object.keys(comments).length > 0;
  const loser = choice === 'close_a' ? pair.issue1 : pair.issue2;
  return (
    <ConfirmStep
      pair={pair}
      detail={detail}
      payload={payload}
      preview={useEditedPreview({ kind: 'resolution', payload }, edited)}
      comments={comments}
      onComments={(typed) => onDrafts({ ...drafts, comments: typed })}
      writtenTo={loser.tracker_id}
      refusedTitle="This cannot be closed"
      confirmLabel="Close as Duplicate"
      resolving={resolving}
      onBack={onBack}
    >
      <Radio.Group
        label="Select which issue to close. The other will remain open."
        value={choice}
        onChange={(value) => {
          setChosen(value === 'close_a' ? 'close_a' : 'close_b');
          // Discard edited comments, because they refer to the issue that was selected before.
          onDrafts({ ...drafts, comments: {} });
        }}
      >
        <div className={classes.cards}>
          {CLOSE_RESOLUTIONS.map((value) => (
            <ChoiceCard
              key={value}
              choice={value}
              pair={pair}
              initial={value === suggested}
              ref={value === suggested ? first : undefined}
            />
          ))}
        </div>
      </Radio.Group>
    </ConfirmStep>
  );
}
