import classes from './key-cap.module.css';

/** A key as it is printed on the keyboard. Not shown on small screens, where there is none. */
export function KeyCap({ children }: { children: string }) {
  return <kbd className={classes.cap}>{children}</kbd>;
}

/** What the modifier of shortcuts is called on this machine. */
export function modifierName(platform: string): 'Ctrl' | '⌘' {
  return /mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl';
}
