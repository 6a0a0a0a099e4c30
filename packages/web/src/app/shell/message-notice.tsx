import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import classes from './message-notice.module.css';
import { noticeText } from './notice-text.ts';

/**
 * Shows the value of the URL parameter `message` as a notice that the user can close. Removes the
 * parameter from the URL.
 */
export function MessageNotice() {
  const [parameters, setParameters] = useSearchParams();
  const [text, setText] = useState<string | null>(null);
  const given = parameters.get('message');
  useEffect(() => {
    if (given === null) return;
    setText(noticeText(given));
    setParameters(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete('message');
        return rest;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [given, setParameters]);
  if (text === null || text === '') return null;
  return (
    <div className={classes.place}>
      <Alert
        icon={<IconInfoCircle size={16} aria-hidden />}
        withCloseButton
        closeButtonLabel="Close this message"
        onClose={() => setText(null)}
      >
        {text}
      </Alert>
    </div>
  );
}
