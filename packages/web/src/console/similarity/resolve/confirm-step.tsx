import { Button } from '@mantine/core';
import { IconArrowLeft, IconCircleCheck } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ChangePreview, ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { ErrorState } from '../../../ui/error-state.tsx';
import { modifierName } from '../../../ui/key-cap.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { ProposalNote } from '../decide/proposal-note.tsx';
import { WriteList } from '../decide/write-list.tsx';
import { useTrackerNames } from '../use-tracker-names.ts';
import { ProposeForm } from './propose-form.tsx';
import { Refusal } from './refusal.tsx';
import classes from './resolve-dialog.module.css';
import type { Resolving } from './use-resolve.ts';

/** Whether the preview was made from the very texts that the pair was read with. */
function isUnmoved(preview: ChangePreview, { issue1, issue2 }: PairDetail): boolean {
  return [issue1, issue2].every(({ id, content_hash }) => preview.base_hashes[id] === content_hash);
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

type Preview = Pick<
  UseQueryResult<ChangePreview>,
  'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'
>;

export type ConfirmStepProps = {
  pair: Pair;
  /** The pair with its texts' hashes, once loaded. */
  detail: PairDetail | undefined;
  /** What would be decided; null while something is missing. */
  payload: ResolutionPayload | null;
  /** What is missing, in a sentence. */
  missing?: string | null;
  preview: Preview;
  /** Whose tracker the comments are written to as whom. */
  writtenTo: string;
  /** Over the reason why it cannot be done. */
  refusedTitle: string;
  confirmLabel: string;
  resolving: Resolving;
  onBack: () => void;
  children: ReactNode;
};

/** What is to be decided, beside every write that follows from it, and the buttons that do it. Stale writes confirm nothing. */
export function ConfirmStep(props: ConfirmStepProps) {
  const { pair, detail, payload, missing = null, preview, resolving } = props;
  const { data, error, isFetching, isPlaceholderData, refetch } = preview;
  const [proposing, setProposing] = useState(false);
  const trackerName = useTrackerNames();
  const trackers = [pair.issue1, pair.issue2].map((issue) => trackerName(issue.tracker_id).inSentence);
  const current = payload === null || isPlaceholderData || error !== null ? undefined : data;
  const shown = payload === null || error !== null ? undefined : data;
  const ready = current !== undefined && !isFetching && !resolving.pending;
  const decided = payload !== null && ready ? { ...payload, base_hashes: current.base_hashes } : null;
  const confirm = () => {
    if (decided !== null && !proposing) resolving.resolve(decided);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    const isConfirming = event.ctrlKey || event.metaKey;
    // Enter in a line of text is no decision.
    if (isConfirming || (event.target instanceof HTMLInputElement && event.target.type === 'text')) {
      event.preventDefault();
    }
    if (isConfirming) confirm();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
      onKeyDown={onKeyDown}
    >
      <div className={classes.columns}>
        <div className={classes.form}>{props.children}</div>
        <div className={classes.writes} aria-busy={isPlaceholderData}>
          <ProposalNote pair={pair} />
          <Refusal error={resolving.error} />
          {error === null ? null : (
            <ErrorState error={error} title={props.refusedTitle} onRetry={() => void refetch()} />
          )}
          {payload === null && missing !== null ? <p className={classes.missing}>{missing}</p> : null}
          {shown === undefined && error === null && missing === null ? <PreviewSkeleton /> : null}
          {shown === undefined ? null : (
            <div className={isPlaceholderData ? classes.outdated : undefined}>
              <WriteList
                preview={shown}
                trackers={[...new Set(trackers)]}
                postedAs={trackerName(props.writtenTo).login}
              />
            </div>
          )}
        </div>
      </div>
      {proposing ? (
        <ProposeForm payload={decided} resolving={resolving} onCancel={() => setProposing(false)} />
      ) : (
        <div className={classes.footer}>
          <Button
            leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
            onClick={props.onBack}
            disabled={resolving.pending}
          >
            Back
          </Button>
          <span className={classes.state} role="status">
            {isPlaceholderData && payload !== null ? 'Working out what would be written' : null}
            {current !== undefined && ready && detail !== undefined && isUnmoved(current, detail) ? (
              <>
                <IconCircleCheck className={classes.check} size={14} stroke={1.75} aria-hidden />
                Neither issue has changed since you read it
              </>
            ) : null}
          </span>
          <Button onClick={() => setProposing(true)} disabled={!ready}>
            Propose instead
          </Button>
          <Button
            type="submit"
            variant="filled"
            className={classes.confirm ?? ''}
            disabled={!ready && !resolving.pending}
            loading={resolving.pending}
            rightSection={<kbd className={classes.confirmKeys}>{modifierName(navigator.platform)} ↵</kbd>}
          >
            {props.confirmLabel}
          </Button>
        </div>
      )}
    </form>
  );
}
