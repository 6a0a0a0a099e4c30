import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Tracker } from '@winnow/contract/tracker';
import type { ConnectionField } from './connection-step.tsx';
import { RenameForm } from './rename-form.tsx';
import { TrackerForm } from './tracker-form.tsx';

export type TrackerDialogProps = {
  opened: boolean;
  /** The tracker to edit; null to add one. */
  tracker: Tracker | null;
  /** Form field with the initial focus. Default: the name. */
  startAt?: ConnectionField;
  onClose: () => void;
  /**
   * Called after the dialog that adds a tracker has closed. The button that opened it may have
   * moved, so the focus must be set again.
   */
  onAddClosed: () => void;
};

/**
 * Mantine renders the title in a `<header>`, which has the role `banner`. A dialog must not have
 * this role, so override it.
 */
const HEADER_IS_NO_BANNER = { header: { role: 'presentation' } };

/**
 * Dialog that adds or edits a tracker. A click outside does not close it, so that input is not
 * lost. It is aligned to the top, so that buttons do not move when its height changes.
 */
export function TrackerDialog({
  opened,
  tracker,
  startAt = 'name',
  onClose,
  onAddClosed,
}: TrackerDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={520}
      yOffset="12dvh"
      fullScreen={narrow}
      closeOnClickOutside={false}
      {...(tracker === null ? { returnFocus: false, onExitTransitionEnd: onAddClosed } : {})}
      transitionProps={{ transition: 'fade-up', duration: 150 }}
      attributes={HEADER_IS_NO_BANNER}
    >
      <Modal.Overlay color="var(--scrim)" backgroundOpacity={1} />
      <Modal.Content radius={narrow ? 0 : 'md'}>
        {tracker?.tracker_type === 'sample' ? (
          <RenameForm tracker={tracker} onClose={onClose} />
        ) : (
          <TrackerForm tracker={tracker} startAt={startAt} onClose={onClose} />
        )}
      </Modal.Content>
    </Modal.Root>
  );
}
