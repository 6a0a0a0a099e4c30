import { Button, Radio } from '@mantine/core';
import { IconArrowLeft, IconCircleCheck } from '@tabler/icons-react';
import type { ChangePreview, ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { ErrorState } from '../../../ui/error-state.tsx';
import { modifierName } from '../../../ui/key-cap.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { pairKeyOf } from '../decide/decisions.ts';
import { type CloseChoice, suggestedClose } from '../decide/suggestion.ts';
import { WriteList } from '../decide/write-list.tsx';
import { usePreview } from '../queries.ts';
import { useTrackerNames } from '../use-tracker-names.ts';
import { IssueBrief } from './issue-brief.tsx';
import { Refusal } from './refusal.tsx';
import classes from './resolve-dialog.module.css';
import { useInitialFocus } from './use-initial-focus.ts';
import type { Resolving } from './use-resolve.ts';

const CHOICES: readonly CloseChoice[] = ['close_a', 'close_b'];

/** Whether the preview was made from the very texts that the pair was read with. */
function isUnmoved(preview: ChangePreview, { issue1, issue2 }: PairDetail): boolean {
  return [issue1, issue2].every(({ id, content_hash }) => preview.base_hashes[id] === content_hash);
}

type ChoiceCardProps = {
  choice: CloseChoice;
  pair: Pair;
  /** The dialog starts here. */
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
          {closed ? 'Closed already.' : `Closes it as a duplicate of ${survivor.key}.`}
        </span>
      </span>
    </Radio.Card>
  );
}

function PreviewSkeleton() {
  return (
    <Loading label="Loading the preview">
      <div className={classes.previewSkeleton}>
        <TextSkeleton width="40%" height={14} />
        <TextSkeleton width="100%" height={72} />
        <TextSkeleton width="100%" height={72} />
        <TextSkeleton width="70%" height={14} />
      </div>
    </Loading>
  );
}

export type CloseStepProps = {
  pair: Pair;
  /** The pair with its texts' hashes, once loaded. */
  detail: PairDetail | undefined;
  resolving: Resolving;
  onBack: () => void;
};

/** Which issue to close, beside every write that follows from it. */
export function CloseStep({ pair, detail, resolving, onBack }: CloseStepProps) {
  const [chosen, setChosen] = useState<CloseChoice | null>(null);
  const trackerName = useTrackerNames();
  // As it was when the dialog opened: what is chosen must not move under the reader's hand.
  const [suggested] = useState(() => suggestedClose(pair) ?? 'close_b');
  const choice = chosen ?? suggested;
  const first = useInitialFocus<HTMLButtonElement>();
  const payload: ResolutionPayload = { ...pairKeyOf(pair), resolution: choice };
  const { data: preview, error, isFetching, refetch } = usePreview(payload);
  const loser = choice === 'close_a' ? pair.issue1 : pair.issue2;
  const trackers = [pair.issue1, pair.issue2].map((issue) => trackerName(issue.tracker_id).inSentence);
  const ready = preview !== undefined && error === null && !isFetching && !resolving.pending;
  const confirm = () => {
    if (ready) resolving.resolve({ ...payload, base_hashes: preview.base_hashes });
  };
  const confirmOnKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    confirm();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
      onKeyDown={confirmOnKeys}
    >
      <div className={classes.columns}>
        <div className={classes.form}>
          <Radio.Group
            label="Select which issue to close. The other will remain open."
            value={choice}
            onChange={(value) => setChosen(value === 'close_a' ? 'close_a' : 'close_b')}
          >
            <div className={classes.cards}>
              {CHOICES.map((value) => (
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
        </div>
        <div className={classes.writes}>
          <Refusal error={resolving.error} />
          {error === null ? null : (
            <ErrorState error={error} title="This cannot be closed" onRetry={() => void refetch()} />
          )}
          {preview === undefined && error === null ? <PreviewSkeleton /> : null}
          {preview === undefined || error !== null ? null : (
            <WriteList
              preview={preview}
              trackers={[...new Set(trackers)]}
              postedAs={trackerName(loser.tracker_id).login}
            />
          )}
        </div>
      </div>
      <div className={classes.footer}>
        <Button
          leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
          onClick={onBack}
          disabled={resolving.pending}
        >
          Back
        </Button>
        <span className={classes.state}>
          {ready && detail !== undefined && isUnmoved(preview, detail) ? (
            <>
              <IconCircleCheck className={classes.check} size={14} stroke={1.75} aria-hidden />
              Neither issue has changed since you read it
            </>
          ) : null}
        </span>
        <Button
          type="submit"
          variant="filled"
          className={classes.confirm ?? ''}
          disabled={!ready && !resolving.pending}
          loading={resolving.pending}
          rightSection={<kbd className={classes.confirmKeys}>{modifierName(navigator.platform)} ↵</kbd>}
        >
          Close as Duplicate
        </Button>
      </div>
    </form>
  );
}
