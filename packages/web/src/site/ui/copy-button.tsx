import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './copy-button.module.css';

/** How long it says that something was copied. */
const CONFIRMED_MS = 2000;
const SAYS = { ready: 'Copy', copied: 'Copied', refused: 'Select the text to copy it' } as const;

export interface CopyButtonProps {
  text: string;
  /** What is copied, as its label names it: `the snippet for Cursor`. */
  what: string;
}

/** Puts a text on the clipboard and says so. Browsers refuse that on addresses without encryption; then it says that. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [state, setState] = useState<keyof typeof SAYS>('ready');

  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('ready'), CONFIRMED_MS);
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
  const says = state === 'copied' ? SAYS.copied : SAYS.ready;
  return (
    <span className={classes.copy}>
      <button type="button" aria-label={`${says} ${what}`} onClick={() => void copy()}>
        <Icon size={16} aria-hidden />
        {says}
      </button>
      <span role="status" className={state === 'refused' ? classes.refused : 'vh'}>
        {state === 'ready' ? '' : SAYS[state]}
      </span>
    </span>
  );
}
