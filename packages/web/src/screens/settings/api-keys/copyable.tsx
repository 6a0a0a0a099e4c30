import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type Ref, useEffect } from 'react';
import forms from '../form.module.css';
import classes from './api-keys.module.css';

export type CopyableProps = {
  /** Label above the text. The accessible name of the button also contains this label. */
  label: string;
  text: string;
  /** Shows the text in groups of this many characters. Copies contain no spaces. */
  groupChars?: number;
  buttonRef?: Ref<HTMLButtonElement>;
  /** Called after the user copied the text, with the button or manually. */
  onCopied: () => void;
};

/**
 * Text with a button that copies it. Clicking the text selects it. If the browser denies access to
 * the clipboard, shows an error.
 */
export function Copyable({ label, text, groupChars, buttonRef, onCopied }: CopyableProps) {
  const clipboard = useClipboard({ timeout: 2000 });
  const { copied } = clipboard;
  // Copying is asynchronous, and the `useClipboard` hook reports the result only in its state.
  useEffect(() => {
    if (copied) onCopied();
  }, [copied, onCopied]);
  return (
    <div>
      <div className={classes.copyHead}>
        <span className={classes.copyLabel}>{label}</span>
        <Button
          ref={buttonRef}
          size="xs"
          className={classes.copyButton ?? ''}
          aria-label={`Copy: ${label}`}
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => clipboard.copy(text)}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <pre className={classes.copyText} onCopy={onCopied}>
        {groupChars === undefined
          ? text
          : groupsOf(text, groupChars).map(({ at, group }) => (
              <span key={at} className={classes.copyGroup}>
                {group}
              </span>
            ))}
      </pre>
      <p role="status" className={clipboard.error === null ? 'vh' : forms.note}>
        {copied ? 'Copied' : ''}
        {clipboard.error === null
          ? ''
          : 'The browser denied access to the clipboard. Select the text and copy it.'}
      </p>
    </div>
  );
}

/** Splits a text into groups, with the position of each. */
function groupsOf(text: string, chars: number): { at: number; group: string }[] {
  const count = Math.ceil(text.length / chars);
  return Array.from({ length: count }, (_, index) => {
    const at = index * chars;
    return { at, group: text.slice(at, at + chars) };
  });
}
