import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type Ref, useEffect } from 'react';
import forms from '../form.module.css';
import classes from './api-keys.module.css';

export type CopyableProps = {
  /** What it is, above it and in the button's name. */
  label: string;
  text: string;
  buttonRef?: Ref<HTMLButtonElement>;
  /** It was copied, by the button or by hand. */
  onCopied: () => void;
};

/** A text to be taken elsewhere: selected by a click on it, copied by its button. A browser that does not let us is told of. */
export function Copyable({ label, text, buttonRef, onCopied }: CopyableProps) {
  const clipboard = useClipboard({ timeout: 2000 });
  const { copied } = clipboard;
  // The clipboard answers later, and tells nobody.
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
        {text}
      </pre>
      <p role="status" className={clipboard.error === null ? 'vh' : forms.note}>
        {copied ? 'Copied' : ''}
        {clipboard.error === null
          ? ''
          : 'The browser did not let Winnow copy it. Select the text and copy it.'}
      </p>
    </div>
  );
}
