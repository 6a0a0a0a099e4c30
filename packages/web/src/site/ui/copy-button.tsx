import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './copy-button.module.css';

/** Time in milliseconds for which the confirmation is shown. */
const CONFIRMATION_MS = 2000;
const LABELS = { ready: 'Copy', copied: 'Copied', refused: 'Select the text to copy it' } as const;

export interface CopyButtonProps {
  text: string;
  /** Name of the text for the label of the button, such as `the snippet for Cursor`. */
  what: string;
}

/**
 * Copies a text to the clipboard and shows a confirmation.
 * Browsers deny clipboard access on pages without HTTPS. In that case, the button asks the user to
 * select the text.
 */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [state, setState] = useState<keyof typeof LABELS>('ready');

  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('ready'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('refused');
    }
  }

  const Icon = state === 'copied' ? IconCheck : IconCopy;
  const label = state === 'copied' ? LABELS.copied : LABELS.ready;
  return (
    <span className={classes.copy}>
      <button type="button" aria-label={`${label} ${what}`} onClick={() => void copy()}>
        <Icon size={16} aria-hidden />
        {label}
      </button>
      <span role="status" className={state === 'refused' ? classes.refused : 'vh'}>
        {state === 'ready' ? '' : LABELS[state]}
      </span>
    </span>
  );
}
