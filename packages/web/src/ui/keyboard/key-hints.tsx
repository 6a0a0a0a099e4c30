import { UnstyledButton } from '@mantine/core';
import { KeyCap } from './key-cap.tsx';
import classes from './key-hints.module.css';
import { openKeyboardHelp, type Shortcut } from './shortcuts.ts';

/** A shortcut with its word for the line at the bottom. */
export type HintedShortcut = Shortcut & { hint: string };

/** A screen's keys in one line at the bottom, for large screens. The sheet says them to a screen reader. */
export function KeyHints({ shortcuts }: { shortcuts: readonly HintedShortcut[] }) {
  return (
    <div className={classes.line}>
      <div className={classes.hints} aria-hidden="true">
        {shortcuts.map(({ keys, hint }) => (
          <span className={classes.hint} key={hint}>
            {keys.map((key) => (
              <KeyCap key={key}>{key}</KeyCap>
            ))}
            {hint}
          </span>
        ))}
      </div>
      <UnstyledButton aria-label="Show all keyboard shortcuts" onClick={openKeyboardHelp}>
        <KeyCap>?</KeyCap>
      </UnstyledButton>
    </div>
  );
}
