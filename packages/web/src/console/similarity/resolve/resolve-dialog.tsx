import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Pair } from '@winnow/contract/duplicate';
import type { KeyboardEvent } from 'react';
import { usePair } from '../queries.ts';
import { LEAVING } from '../shortcuts.ts';
import { ChooseStep } from './choose-step.tsx';
import { CloseStep } from './close-step.tsx';
import { Progress } from './progress.tsx';
import classes from './resolve-dialog.module.css';
import { useResolve } from './use-resolve.ts';

export type ResolveStep = 'initial' | 'close';

/** The pair's drawer on small screens is at the level of dialogs, and opened after this one was made. */
const OVER_DRAWER = 210;

const STEP_TITLES: Record<ResolveStep, string | null> = { initial: null, close: 'Close as Duplicate' };

/** The pair in the dialog and how far it is; it stays there while the dialog fades away. */
export type ResolvingPair = { pair: Pair; step: ResolveStep; opened: boolean };

export type ResolveDialogProps = StepHandlers & {
  /** Null before the first pair is to be resolved. */
  resolving: ResolvingPair | null;
  /** The dialog has faded away. */
  onExited: () => void;
};

type StepHandlers = {
  onStep: (step: ResolveStep) => void;
  onClose: () => void;
  /** The pair is resolved, and the dialog may go. */
  onResolved: (pair: Pair) => void;
};

/** A key that is still held from the list presses nothing here. */
function ignoreHeldKeys(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
}

function DialogTitle({ step }: { step: ResolveStep }) {
  const stepTitle = STEP_TITLES[step];
  if (stepTitle === null) return 'Resolve Similar Issues';
  return (
    <>
      <span className={classes.before}>Resolve Similar Issues → </span>
      {stepTitle}
    </>
  );
}

type StepsProps = StepHandlers & { pair: Pair; step: ResolveStep };

function Steps({ pair, step, onStep, onClose, onResolved }: StepsProps) {
  // The list knows no texts and hashes; until those are here, what it knows is shown.
  const { data: detail } = usePair(pair.id);
  const resolving = useResolve(() => onResolved(pair));
  const shown = detail ?? pair;
  if (resolving.changeId !== null) {
    return <Progress changeId={resolving.changeId} resolving={resolving} onClose={onClose} />;
  }
  return step === 'initial' ? (
    <ChooseStep pair={shown} resolving={resolving} onClose={() => onStep('close')} />
  ) : (
    <CloseStep pair={shown} detail={detail} resolving={resolving} onBack={() => onStep('initial')} />
  );
}

/** Resolve Similar Issues: choose how, see every write, confirm. It stays open until the decision is written. */
export function ResolveDialog({ resolving, onExited, ...handlers }: ResolveDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const step = resolving?.step ?? 'initial';
  const opened = resolving?.opened ?? false;
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={handlers.onClose}
      onExitTransitionEnd={onExited}
      onKeyDownCapture={ignoreHeldKeys}
      zIndex={OVER_DRAWER}
      title={<DialogTitle step={step} />}
      size={step === 'initial' ? 760 : 1000}
      fullScreen={narrow}
      classNames={{
        content: classes.content ?? '',
        body: classes.body ?? '',
        header: classes.header ?? '',
      }}
    >
      {resolving === null ? null : (
        <Steps key={resolving.pair.id} pair={resolving.pair} step={step} {...handlers} />
      )}
    </Modal>
  );
}
