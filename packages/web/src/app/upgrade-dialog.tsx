import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core';
import { type MouseEvent, useEffect, useState } from 'react';
import { router } from './router.tsx';
import { SHOW_UPGRADE_MODAL } from './session/session.ts';

/** Opens when a call met the plan's limit, above the dialog that made the call. */
export function UpgradeDialog() {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const open = () => setOpened(true);
    window.addEventListener(SHOW_UPGRADE_MODAL, open);
    return () => window.removeEventListener(SHOW_UPGRADE_MODAL, open);
  }, []);
  const close = () => setOpened(false);
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    close();
    void router.navigate('/console/pricing');
  };
  return (
    <Modal opened={opened} onClose={close} title="Upgrade Your Plan" zIndex={getDefaultZIndex('popover')}>
      <Text>
        You have exceeded the usage limits of your current plan. Please upgrade to continue using this
        feature.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Close</Button>
        <Button component="a" href="/console/pricing" variant="filled" data-autofocus onClick={follow}>
          View Plans
        </Button>
      </Group>
    </Modal>
  );
}
