import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { CommitResult, Dependency } from '@winnow/contract/dependency';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { Z_INDEX_ABOVE_DRAWER } from '../../../ui/dialogs/z-index.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';
import type { CommitScope, DependencyActions } from '../badges/dependency-details.tsx';
import { announceCommitted } from '../dependency-toasts.ts';
import { outcomesOf, outcomesText } from './commit-outcomes.ts';
import { COMMITTED_CHANGES, Results } from './results.tsx';
import { Review } from './review.tsx';

/**
 * A request to commit dependencies, displayed in the dialog. It stays set until the closing
 * animation ends.
 */
export type CommitRequest = {
  dependencies: readonly Dependency[];
  scope: CommitScope;
  opened: boolean;
  /** Sequence number of the request, used as React key. */
  number: number;
};

export type CommitDialogProps = {
  /** The request to display; null before the first request. */
  asked: CommitRequest | null;
  actions: DependencyActions;
  onClose: () => void;
  /** Called after the closing animation. */
  onExited: () => void;
};

type StepsProps = Omit<CommitDialogProps, 'asked' | 'onExited'> & {
  asked: CommitRequest;
  onBusy: (busy: boolean) => void;
};

type Written = { asked: readonly Dependency[]; result: CommitResult };

function Steps({ asked, actions, onClose, onBusy }: StepsProps) {
  const navigate = useNavigate();
  // Dependencies to preview. After a retry, these are only the dependencies that failed.
  const [toReview, setToReview] = useState(asked.dependencies);
  const [written, setWritten] = useState<Written | null>(null);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const onWritten = (dependencies: readonly Dependency[], result: CommitResult) => {
    const [only] = result.dependencies;
    if (dependencies.length === 1 && only !== undefined && only.change_id !== null) {
      void announceCommitted(only.change_id);
      onClose();
      return;
    }
    if (shown.current) setWritten({ asked: dependencies, result });
    else {
      showToast({
        id: 'dependencies-committed',
        kind: result.failed.length > 0 ? 'failed' : 'done',
        text: outcomesText(outcomesOf(dependencies, result, new Map())),
        action: { label: 'Show changes', run: () => void navigate(COMMITTED_CHANGES) },
      });
    }
  };
  if (written === null) {
    return (
      <Review
        dependencies={toReview}
        scope={asked.scope}
        actions={actions}
        onWritten={onWritten}
        onBusy={onBusy}
        onClose={onClose}
      />
    );
  }
  return (
    <Results
      issueOf={actions.issueOf}
      asked={written.asked}
      result={written.result}
      onClose={onClose}
      onTryAgain={(failed) => {
        setToReview(failed);
        setWritten(null);
      }}
    />
  );
}

/** Dialog that commits dependencies. It previews each write, and then shows each result. */
export function CommitDialog({ asked, onExited, ...steps }: CommitDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [busy, setBusy] = useState(false);
  const opened = asked?.opened ?? false;
  const count = asked?.dependencies.length ?? 0;
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={steps.onClose}
      onExitTransitionEnd={onExited}
      closeOnClickOutside={!busy}
      zIndex={Z_INDEX_ABOVE_DRAWER}
      title={count === 1 ? 'Commit Dependency' : 'Commit Dependencies'}
      size={count === 1 ? 600 : 720}
      fullScreen={narrow}
      classNames={{ content: frame.content ?? '', body: frame.modalBody ?? '' }}
    >
      {asked === null ? null : <Steps key={asked.number} asked={asked} onBusy={setBusy} {...steps} />}
    </Modal>
  );
}
