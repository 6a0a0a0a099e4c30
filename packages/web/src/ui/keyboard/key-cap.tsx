import classes from './key-cap.module.css';

/** A key of the keyboard. Hidden on small screens, which usually have no keyboard. */
export function KeyCap({ children }: { children: string }) {
  return <kbd className={classes.cap}>{children}</kbd>;
}

/** Returns the name of the modifier key of shortcuts on a platform. */
export function modifierName(platform: string): 'Ctrl' | '⌘' {
  return /mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl';
}
