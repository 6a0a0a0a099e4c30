import classes from './key-cap.module.css';

/**
 * Shows a key of the keyboard. Hidden on small screens, because such devices usually have no
 * keyboard.
 */
export function KeyCap({ children }: { children: string }) {
  return <kbd className={classes.cap}>{children}</kbd>;
}

/** Returns the name of the modifier key for shortcuts on the user's platform. */
export function modifierName(platform: string): 'Ctrl' | '⌘' {
  return /mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl';
}
