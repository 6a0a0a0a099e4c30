import { Button } from '@mantine/core';
import { IconArrowLeft, IconCircleCheck } from '@tabler/icons-react';
import type { ChangePreview, ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import { type ReactNode, useState } from 'react';
import { WriteList } from '../../../features/decisions/write-list.tsx';
import { useTrackerNames } from '../../../features/trackers/use-tracker-names.ts';
import {
  ConfirmButton,
  ConfirmForm,
  type Preview,
  PreviewPane,
  previewState,
} from '../../../features/write-dialog/confirm-form.tsx';
import { Refusal } from '../../../features/write-dialog/refusal.tsx';
import classes from '../../../features/write-dialog/write-dialog.module.css';
import { ProposalNote } from '../proposal-note.tsx';
import type { TypedComments } from '../text-drafts.ts';
import { ProposeForm } from './propose-form.tsx';
import type { Resolving } from './use-resolve.ts';

/** Whether the preview was made from the very texts that the pair was read with. */
function isUnmoved(preview: ChangePreview, { issue1, issue2 }: PairDetail): boolean {
  return [issue1, issue2].every(({ id, content_hash }) => preview.base_hashes[id] === content_hash);
}

export type ConfirmStepProps = {
  pair: Pair;
  /** The pair with its texts' hashes, once loaded. */
  detail: PairDetail | undefined;
  /** What would be decided; null while something is missing. */
  payload: ResolutionPayload | null;
  /** What is missing, in a sentence. */
  missing?: string | null;
  preview: Preview;
  /** Edited comments by the id of their issue; absent where none is posted. */
  comments?: TypedComments;
  onComments?: (comments: TypedComments) => void;
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
  const { pair, detail, payload, missing = null, preview, comments = {}, onComments, resolving } = props;
  const [proposing, setProposing] = useState(false);
  const trackerName = useTrackerNames();
  const trackers = [pair.issue1, pair.issue2].map((issue) => trackerName(issue.tracker_id).inSentence);
  const state = previewState(preview, payload !== null, resolving.pending);
  const { shown, outdated, confirmable } = state;
  const isCommentMissing = Object.values(comments).some((text) => text.trim() === '');
  const decided =
    payload !== null && confirmable !== null && !isCommentMissing
      ? { ...payload, base_hashes: confirmable }
      : null;
  return (
    <ConfirmForm
      onConfirm={() => {
        if (decided !== null && !proposing) resolving.resolve(decided);
      }}
      form={props.children}
      writes={
        <>
          <ProposalNote pair={pair} />
          <Refusal
            error={resolving.error}
            moved="Both issues and the writes were read again. What you see is how they are now."
          />
          <PreviewPane
            preview={preview}
            state={state}
            missing={payload === null ? missing : null}
            refusedTitle={props.refusedTitle}
          >
            {(writes) => (
              <WriteList
                preview={writes}
                trackers={[...new Set(trackers)]}
                postedAs={trackerName(props.writtenTo).login}
                {...(onComments === undefined
                  ? {}
                  : { edited: { comments, onComments, disabled: resolving.pending } })}
              />
            )}
          </PreviewPane>
        </>
      }
      footer={
        proposing ? (
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
              {outdated && payload !== null ? 'Preparing the preview…' : null}
              {decided !== null && shown !== undefined && detail !== undefined && isUnmoved(shown, detail) ? (
                <>
                  <IconCircleCheck className={classes.check} size={14} stroke={1.75} aria-hidden />
                  Both issues are unchanged since you opened them
                </>
              ) : null}
            </span>
            <Button onClick={() => setProposing(true)} disabled={decided === null}>
              Propose instead
            </Button>
            <ConfirmButton label={props.confirmLabel} ready={decided !== null} pending={resolving.pending} />
          </div>
        )
      }
    />
  );
}
