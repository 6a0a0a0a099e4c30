import { Button } from '@mantine/core';
import { IconArrowLeft, IconCircleCheck } from '@tabler/icons-react';
import type { ChangePreview, ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import { type ReactNode, useState } from 'react';
import { WriteList } from '../../../features/decisions/write-list.tsx';
import { useTrackerNames } from '../../../features/trackers/use-tracker-names.ts';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
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

/** True if the preview is based on the same texts as the displayed pair. */
function isUnmoved(preview: ChangePreview, { issue1, issue2 }: PairDetail): boolean {
  return [issue1, issue2].every(({ id, content_hash }) => preview.base_hashes[id] === content_hash);
}

export type ConfirmStepProps = {
  pair: Pair;
  /** The pair with content hashes; undefined while loading. */
  detail: PairDetail | undefined;
  /** The resolution to write; null while input is missing. */
  payload: ResolutionPayload | null;
  /** Text that states which input is missing; null if nothing is missing. */
  missing?: string | null;
  preview: Preview;
  /** Comments edited by the user, by issue id. Omit this if the resolution posts no comments. */
  comments?: TypedComments;
  onComments?: (comments: TypedComments) => void;
  /** Id of the tracker to which comments are written. */
  writtenTo: string;
  /** Title displayed above the reason for refusing the preview. */
  refusedTitle: string;
  confirmLabel: string;
  resolving: Resolving;
  onBack: () => void;
  children: ReactNode;
};

/**
 * Form of a resolution, with the resulting writes beside it and buttons that confirm it. An
 * outdated preview cannot be confirmed.
 */
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
            moved="Both issues and the preview were reloaded and are up to date."
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
            <PermissionGate needs="write">
              <ConfirmButton
                label={props.confirmLabel}
                ready={decided !== null}
                pending={resolving.pending}
              />
            </PermissionGate>
          </div>
        )
      }
    />
  );
}
