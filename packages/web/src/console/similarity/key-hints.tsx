import { UnstyledButton } from '@mantine/core';
import { openKeyboardHelp } from '../../app/shell/shortcuts.ts';
import { KeyCap } from '../../ui/key-cap.tsx';
import classes from './key-hints.module.css';
import { SHORTCUTS } from './shortcuts.ts';

/** The keys in one line at the bottom, for large screens. The sheet says them to a screen reader. */
export function KeyHints() {
  return (
    <div className={classes.line}>
      <div className={classes.hints} aria-hidden="true">
        {SHORTCUTS.map(({ keys, hint }) => (
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
