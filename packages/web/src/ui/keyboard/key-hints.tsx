import { UnstyledButton } from '@mantine/core';
import { KeyCap } from './key-cap.tsx';
import classes from './key-hints.module.css';
import { openKeyboardHelp, type Shortcut } from './shortcuts.ts';

/** A shortcut, and its label for the line of key hints. */
export type HintedShortcut = Shortcut & { hint: string };

/**
 * A line with the shortcuts of a screen. Screen reader users find the shortcuts in the shortcuts
 * dialog.
 */
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
