import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { useRef, useState } from 'react';
import { Progress } from '../../../features/write-dialog/progress.tsx';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { UnsavedGuard } from '../../../ui/dialogs/unsaved-guard.tsx';
import { Z_INDEX_ABOVE_DRAWER } from '../../../ui/dialogs/z-index.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import { useIssue } from '../queries.ts';
import classes from './improve.module.css';
import { ImproveStep } from './improve-step.tsx';
import type { Improved } from './update.ts';
import { useImprove } from './use-improve.ts';

/**
 * The issue in the dialog, and the prompt that scores it. Both stay set until the closing animation
 * ends.
 */
export type ImprovedIssue = { issue: Issue; prompt: CompliancePrompt; opened: boolean };

type StepsProps = Omit<ImprovedIssue, 'opened'> & {
  typed: Partial<Improved>;
  onType: (typed: Partial<Improved>) => void;
  onCancel: () => void;
  onClose: () => void;
  onDone: () => void;
};

function Steps({ issue: listed, prompt, typed, onType, onCancel, onClose, onDone }: StepsProps) {
  const { data: issue = listed } = useIssue(listed.id, listed);
  const [openedIssue] = useState(listed);
  const improving = useImprove(onDone);
  if (improving.changeId !== null) {
    return <Progress changeId={improving.changeId} writing={improving} onClose={onClose} />;
  }
  return (
    <ImproveStep
      issue={issue}
      opened={openedIssue}
      prompt={prompt}
      typed={typed}
      onType={onType}
      improving={improving}
      onCancel={onCancel}
    />
  );
}

export type ImproveDialogProps = {
  /** The issue to improve; null until the user first opens the dialog. */
  improved: ImprovedIssue | null;
  onClose: () => void;
  /** Called after the closing animation. */
  onExited: () => void;
  /** Called when the texts are written. The dialog can then be closed. */
  onDone: () => void;
};

/**
 * Dialog that edits the title and description of an issue, starting with suggested texts. It
 * previews the score and the writes.
 */
export function ImproveDialog({ improved, onClose, onExited, onDone }: ImproveDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [typed, setTyped] = useState<Partial<Improved>>({});
  const [asking, setAsking] = useState(false);
  const typedIn = useRef<HTMLElement>(null);
  const opened = improved?.opened ?? false;
  const forget = () => {
    setTyped({});
    setAsking(false);
  };
  const discard = () => {
    forget();
    onClose();
  };
  const keep = () => {
    setAsking(false);
    typedIn.current?.focus();
  };
  const isTyped = opened && Object.keys(typed).length > 0;
  const ask = () => {
    typedIn.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setAsking(true);
  };
  const close = () => {
    if (asking) keep();
    else if (isTyped) ask();
    else discard();
  };
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={close}
      onExitTransitionEnd={onExited}
      zIndex={Z_INDEX_ABOVE_DRAWER}
      title={
        <>
          Improve Issue Compliance
          {improved === null ? null : <span className={classes.of}> {improved.issue.key}</span>}
        </>
      }
      size={1160}
      // Do not center the dialog, because it would move whenever the height of its content changes.
      centered={false}
      fullScreen={narrow}
      classNames={{
        content: dialog.content ?? '',
        body: dialog.body ?? '',
        header: dialog.header ?? '',
      }}
    >
      {improved === null ? null : (
        <Steps
          key={improved.issue.id}
          issue={improved.issue}
          prompt={improved.prompt}
          typed={typed}
          onType={setTyped}
          onCancel={close}
          onClose={discard}
          onDone={() => {
            forget();
            onDone();
          }}
        />
      )}
      {opened ? (
        <UnsavedGuard unsaved={isTyped} asking={asking} onAsk={ask} onKeep={keep} onDiscard={discard} />
      ) : null}
    </Modal>
  );
}
