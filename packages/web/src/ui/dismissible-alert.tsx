import { Alert } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type DismissibleAlertProps = {
  /**
   * Key in `localStorage` under which the dismissal is stored, such as
   * `similarity-alert-dismissed`.
   */
  storageKey: string;
  tone?: 'info' | 'success';
  children: ReactNode;
};

/** A notice that the user can close. A closed notice does not appear again in this browser. */
export function DismissibleAlert({ storageKey, tone = 'info', children }: DismissibleAlertProps) {
  const [dismissed, setDismissed] = useLocalStorage({
    key: storageKey,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (dismissed) return null;
  const Glyph = tone === 'info' ? IconInfoCircle : IconCircleCheck;
  return (
    <Alert
      color={tone}
      role="note"
      icon={<Glyph size={16} aria-hidden />}
      withCloseButton
      closeButtonLabel="Do not show this again"
      onClose={() => setDismissed(true)}
    >
      {children}
    </Alert>
  );
}
