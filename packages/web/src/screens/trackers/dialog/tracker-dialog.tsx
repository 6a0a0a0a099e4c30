import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Tracker } from '@winnow/contract/tracker';
import type { ConnectionField } from './connection-step.tsx';
import { RenameForm } from './rename-form.tsx';
import { TrackerForm } from './tracker-form.tsx';

export type TrackerDialogProps = {
  opened: boolean;
  /** Tracker to edit; null to add a tracker. */
  tracker: Tracker | null;
  /** Field that takes the initial focus. Default: the name. */
  startAt?: ConnectionField;
  onClose: () => void;
  /** Called after the add dialog has closed, since the button that opened it may have moved. */
  onAddClosed: () => void;
};

/**
 * Removes the banner role, which Mantine's `<header>` would have, since a dialog is not a section.
 */
const HEADER_IS_NO_BANNER = { header: { role: 'presentation' } };

/**
 * The dialog that adds or edits a tracker. A click outside does not close it, to keep the input. It
 * is aligned to the top, so that its controls do not move when its height changes.
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
