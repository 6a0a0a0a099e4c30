import { Modal } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { KeyCap, modifierName } from '../../ui/keyboard/key-cap.tsx';
import {
  closeKeyboardHelp,
  openKeyboardHelp,
  type ShortcutSection,
  useKeyboardHelpOpen,
  useShortcutSections,
} from '../../ui/keyboard/shortcuts.ts';
import classes from './keyboard-help.module.css';

/** Shortcuts that work on every screen. */
const GLOBAL_SHORTCUTS: ShortcutSection = {
  title: 'Everywhere',
  shortcuts: [
    { keys: [modifierName(navigator.platform), 'K'], does: 'Go to a screen, a project or an issue' },
    { keys: ['?'], does: 'Show this list' },
    { keys: ['Esc'], does: 'Close the open dialog or panel' },
  ],
};

/** Z-index above all drawers and dialogs, because `?` opens the help from any of them. */
const HELP_Z_INDEX = 300;

/** Dialog with the keyboard shortcuts. The key `?` opens it. */
export function KeyboardHelp() {
  const opened = useKeyboardHelpOpen();
  const sections = [...useShortcutSections(), GLOBAL_SHORTCUTS];
  useWindowEvent('keydown', (event) => {
    if (event.key === '?' && !isTyping(event)) openKeyboardHelp();
  });
  return (
    <Modal opened={opened} onClose={closeKeyboardHelp} title="Keyboard shortcuts" zIndex={HELP_Z_INDEX}>
      <div className={classes.sections}>
        {sections.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={classes.title}>{title}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div className={classes.line} key={does}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key) => (
                      <KeyCap key={key}>{key}</KeyCap>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/**
 * True if a key press goes to a text field or is part of a browser shortcut. Such key presses do
 * not trigger shortcuts of Winnow.
 */
function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select')
  );
}
