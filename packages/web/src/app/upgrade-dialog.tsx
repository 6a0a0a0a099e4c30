import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type MouseEvent, useEffect, useState } from 'react';
import { SHOW_UPGRADE_MODAL } from '../api/session/session.ts';
import { router } from './router.tsx';

/**
 * Dialog shown when a request exceeds a plan limit. If another dialog sent the request, that dialog
 * stays open below.
 */
export function UpgradeDialog() {
  const [opened, setOpened] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  useEffect(() => {
    const open = (event: Event) => {
      setSentence(event instanceof CustomEvent && typeof event.detail === 'string' ? event.detail : null);
      setOpened(true);
    };
    window.addEventListener(SHOW_UPGRADE_MODAL, open);
    return () => window.removeEventListener(SHOW_UPGRADE_MODAL, open);
  }, []);
  const close = () => setOpened(false);
  // This dialog handles Escape before other dialogs do. The dialog below stays open with its input.
  useWindowEvent(
    'keydown',
    (event) => {
      if (!opened || event.key !== 'Escape' || event.isComposing) return;
      event.stopImmediatePropagation();
      close();
    },
    { capture: true },
  );
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    close();
    void router.navigate('/console/pricing');
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      closeOnEscape={false}
      title="Upgrade Your Plan"
      zIndex={getDefaultZIndex('popover')}
    >
      <Text>
        You have exceeded the usage limits of your current plan. Please upgrade to continue using this
        feature.
      </Text>
      {sentence === null ? null : <Text mt="sm">{sentence}</Text>}
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Close</Button>
        <Button component="a" href="/console/pricing" variant="filled" data-autofocus onClick={follow}>
          View Plans
        </Button>
      </Group>
    </Modal>
  );
}
