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
  /** The field that takes the focus; the name when absent. */
  startAt?: ConnectionField;
  onClose: () => void;
  /** After the dialog that adds one is gone: the button that opened it may stand elsewhere. */
  onAddClosed: () => void;
};

/** Mantine's `<header>` would count as the page's own, since a dialog is no sectioning element. */
const HEADER_IS_NO_BANNER = { header: { role: 'presentation' } };

/**
 * The dialog that adds or edits a tracker. A click beside it does not close it: there is much to lose. It hangs from
 * the top, so that what is being clicked stays in place while it grows.
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
