import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Pair } from '@winnow/contract/duplicate';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Progress } from '../../../features/write-dialog/progress.tsx';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { DiscardQuestion } from '../../../ui/dialogs/discard-question.tsx';
import { Z_INDEX_ABOVE_DRAWER } from '../../../ui/dialogs/z-index.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import { usePair } from '../queries.ts';
import { type Drafts, hasTyped, NO_DRAFTS } from '../text-drafts.ts';
import { ChooseStep } from './choose-step.tsx';
import { CloseStep } from './close-step.tsx';
import { DeconflictStep } from './deconflict-step.tsx';
import { MergeStep } from './merge-step.tsx';
import classes from './resolve-dialog.module.css';
import { useResolve } from './use-resolve.ts';

export type ResolveStep = 'initial' | 'close' | 'merge' | 'deconflict';

const STEP_TITLES: Record<ResolveStep, string | null> = {
  initial: null,
  close: 'Close as Duplicate',
  merge: 'Merge Issues',
  deconflict: 'Deconflict Issues',
};
const STEP_SIZES: Record<ResolveStep, number> = { initial: 760, close: 1000, merge: 1160, deconflict: 1160 };

/** The pair and the initial step of the dialog. It stays set until the closing animation ends. */
export type ResolvingPair = { pair: Pair; step: ResolveStep; opened: boolean };

export type ResolveDialogProps = StepHandlers & {
  /** The pair to resolve; null until the user first opens the dialog. */
  resolving: ResolvingPair | null;
  /** Called after the closing animation. */
  onExited: () => void;
};

type StepHandlers = {
  onStep: (step: ResolveStep) => void;
  onClose: () => void;
  /** Called when the pair is resolved. The dialog can then be closed. */
  onResolved: (pair: Pair) => void;
};

/** Ignores a key that the user still holds down from the list. */
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

type StepsProps = StepHandlers & {
  pair: Pair;
  step: ResolveStep;
  drafts: Drafts;
  onDrafts: (drafts: Drafts) => void;
};

function Steps({ pair, step, drafts, onDrafts, onStep, onClose, onResolved }: StepsProps) {
  // The list contains no descriptions and hashes. Show the pair from the list until they are
  // loaded.
  const { data: detail } = usePair(pair.id);
  const resolving = useResolve(() => onResolved(pair));
  const shown = detail ?? pair;
  if (resolving.changeId !== null) {
    return <Progress changeId={resolving.changeId} writing={resolving} onClose={onClose} />;
  }
  const shared = {
    pair: shown,
    detail,
    resolving,
    onBack: () => {
      onDrafts({ ...drafts, comments: {} });
      onStep('initial');
    },
  };
  switch (step) {
    case 'initial':
      return <ChooseStep pair={shown} resolving={resolving} onStep={onStep} />;
    case 'close':
      return <CloseStep {...shared} drafts={drafts} onDrafts={onDrafts} />;
    case 'merge':
      return <MergeStep {...shared} drafts={drafts} onDrafts={onDrafts} />;
    case 'deconflict':
      return <DeconflictStep {...shared} drafts={drafts} onDrafts={onDrafts} />;
  }
}

/** Edits made in the dialog, and the id of their pair. */
type KeptDrafts = { pairId: string; drafts: Drafts };

/**
 * Dialog that resolves a pair. The user selects a resolution, previews every write, and confirms.
 * The dialog stays open until the resolution is written.
 */
export function ResolveDialog({ resolving, onExited, ...handlers }: ResolveDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [kept, setKept] = useState<KeptDrafts | null>(null);
  const [asking, setAsking] = useState(false);
  const typedIn = useRef<HTMLElement>(null);
  const step = resolving?.step ?? 'initial';
  const opened = resolving?.opened ?? false;
  const drafts = kept !== null && kept.pairId === resolving?.pair.id ? kept.drafts : NO_DRAFTS;
  const forget = () => {
    setKept(null);
    setAsking(false);
  };
  const discard = () => {
    forget();
    handlers.onClose();
  };
  const keep = () => {
    setAsking(false);
    typedIn.current?.focus();
  };
  const close = () => {
    if (asking) keep();
    else if (hasTyped(drafts)) {
      typedIn.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      setAsking(true);
    } else discard();
  };
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={close}
      onExitTransitionEnd={onExited}
      onKeyDownCapture={ignoreHeldKeys}
      zIndex={Z_INDEX_ABOVE_DRAWER}
      title={<DialogTitle step={step} />}
      size={STEP_SIZES[step]}
      fullScreen={narrow}
      classNames={{
        content: dialog.content ?? '',
        body: dialog.body ?? '',
        header: dialog.header ?? '',
      }}
    >
      {resolving === null ? null : (
        <Steps
          key={resolving.pair.id}
          pair={resolving.pair}
          step={step}
          drafts={drafts}
          onDrafts={(typed) => setKept({ pairId: resolving.pair.id, drafts: typed })}
          {...handlers}
          onClose={discard}
          onResolved={(pair) => {
            forget();
            handlers.onResolved(pair);
          }}
        />
      )}
      {asking ? <DiscardQuestion onKeep={keep} onDiscard={discard} /> : null}
    </Modal>
  );
}
