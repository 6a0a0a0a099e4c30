import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Pair } from '@winnow/contract/duplicate';
import { useEffect, useRef, useState } from 'react';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { Meter } from '../../../theme/parts/meter.tsx';
import { Z_INDEX_ABOVE_DRAWER } from '../../../ui/dialogs/z-index.ts';
import { FOCUSABLE } from '../../../ui/keyboard/focusable.ts';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import classes from './bulk.module.css';
import { type CompletedAction, carryOut } from './bulk-execution.ts';
import { confirmText, doneText, introText, pairsCount, titleText } from './bulk-texts.ts';
import { announceBulk, doneOf } from './bulk-toasts.ts';
import { ItemList, LeftOutList } from './item-list.tsx';
import { type Outcome, runInOrder } from './run.ts';
import { type BulkItem, type BulkKind, useBulkPlan } from './use-bulk.ts';

/** The requested bulk action. It stays set until the closing animation ends. */
export type BulkRequest = { kind: BulkKind; pairs: readonly Pair[]; opened: boolean };

type StepProps = Pick<BulkDialogProps, 'onClose' | 'onDone'> & { asked: BulkRequest };

type ReviewProps = Omit<StepProps, 'onDone'> & { onConfirm: (items: BulkItem[]) => void };

function Review({ asked, onClose, onConfirm }: ReviewProps) {
  const { kind, pairs } = asked;
  const { items, leftOut, loading, askAgain } = useBulkPlan(kind, pairs);
  const ready = loading === 0 && items.length > 0;
  return (
    <>
      <section className={frame.body} aria-label="Planned actions" {...FOCUSABLE}>
        <p className={frame.intro}>{introText(kind)}</p>
        {items.length === 0 ? null : <ItemList items={items} outcomes={null} />}
        {leftOut.length === 0 ? null : (
          <section className={classes.leftOut}>
            <div className={classes.leftOutHead}>
              <h3>Left out: {pairsCount(leftOut.length)}</h3>
              {askAgain === null ? null : (
                <Button size="xs" loading={loading > 0} onClick={askAgain}>
                  Check again
                </Button>
              )}
            </div>
            <LeftOutList leftOut={leftOut} />
          </section>
        )}
      </section>
      <div className={frame.footer}>
        <Button onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <span className={frame.state} role="status">
          {loading > 0 ? `Preparing the preview: ${pairsCount(loading)} left` : null}
        </span>
        <Button variant="filled" disabled={!ready} onClick={() => onConfirm(items)}>
          {confirmText(kind, items.length)}
        </Button>
      </div>
    </>
  );
}

type Running = { items: BulkItem[]; outcomes: readonly Outcome<CompletedAction>[]; ended: boolean };

function Progress({
  kind,
  running,
  onStop,
  onClose,
}: {
  kind: BulkKind;
  running: Running;
  onStop: () => void;
  onClose: () => void;
}) {
  const { items, outcomes, ended } = running;
  const [stopping, setStopping] = useState(false);
  const settled = outcomes.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  const failed = outcomes.filter(({ state }) => state === 'failed').length;
  return (
    <>
      <section className={frame.body} aria-label="Progress of the actions" {...FOCUSABLE}>
        <div role="status">
          <p className={frame.headline}>
            {ended
              ? doneText(kind, doneOf(outcomes).length, items.length)
              : `${settled} of ${pairsCount(items.length)} done`}
            {failed === 0 ? null : ` ${failed} failed.`}
          </p>
          <Meter value={settled / items.length} tone={failed > 0 ? 'warning' : 'accent'} />
        </div>
        <ItemList items={items} outcomes={outcomes} />
      </section>
      <div className={frame.footer}>
        {/* Stop appears at the position of Cancel, not of Confirm, so that a double click on
            Confirm does not stop the action. */}
        {ended ? null : (
          <Button
            loading={stopping}
            onClick={() => {
              setStopping(true);
              onStop();
            }}
          >
            Stop
          </Button>
        )}
        <span className={frame.state}>{ended ? null : 'Stopping takes effect after the current write.'}</span>
        {ended ? (
          <Button variant="filled" onClick={onClose}>
            Close
          </Button>
        ) : null}
      </div>
    </>
  );
}

function Steps({ asked, onClose, onDone, onBusy }: StepProps & { onBusy: (busy: boolean) => void }) {
  const [running, setRunning] = useState<Running | null>(null);
  const stopped = useRef(false);
  // Start no further items after the dialog is unmounted.
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const run = async (items: BulkItem[]) => {
    stopped.current = false;
    onBusy(true);
    const outcomes = await runInOrder(items, (item) => carryOut(asked.kind, item), {
      isStopped: () => stopped.current,
      onProgress: (soFar) => setRunning({ items, outcomes: soFar, ended: false }),
    });
    onBusy(false);
    announceBulk(asked.kind, outcomes);
    onDone(doneOf(outcomes).map(({ pair }) => pair));
    setRunning({ items, outcomes, ended: true });
    if (outcomes.every(({ state }) => state === 'done')) onClose();
  };
  if (running === null) {
    return <Review asked={asked} onClose={onClose} onConfirm={(items) => void run(items)} />;
  }
  const stop = () => {
    stopped.current = true;
  };
  return <Progress kind={asked.kind} running={running} onStop={stop} onClose={onClose} />;
}

export type BulkDialogProps = {
  /** The requested action; null before the first request. */
  asked: BulkRequest | null;
  onClose: () => void;
  /** Called at the end, with the pairs for which the action succeeded. */
  onDone: (pairs: readonly Pair[]) => void;
  /** Called after the closing animation. */
  onExited: () => void;
};

/**
 * Dialog that carries out an action on several pairs. It previews every write, shows the progress
 * with a Stop button, and then lists failures.
 */
export function BulkDialog({ asked, onExited, ...handlers }: BulkDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [busy, setBusy] = useState(false);
  const opened = asked?.opened ?? false;
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={handlers.onClose}
      onExitTransitionEnd={onExited}
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      withCloseButton={!busy}
      zIndex={Z_INDEX_ABOVE_DRAWER}
      title={asked === null ? '' : titleText(asked.kind, asked.pairs.length)}
      size={760}
      fullScreen={narrow}
      classNames={{ content: frame.content ?? '', body: frame.modalBody ?? '' }}
    >
      {asked === null ? null : <Steps asked={asked} {...handlers} onBusy={setBusy} />}
    </Modal>
  );
}
