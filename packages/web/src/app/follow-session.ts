import { onAuthChange, watchOtherTabs } from '../api/session/session.ts';

/**
 * Leaves the console when the session ends, in this tab or another: to `/` after signing out, to sign-in when it was
 * lost. What the page held belonged to that session and goes with it.
 */
export function followSession(): void {
  watchOtherTabs();
  onAuthChange(({ reason }) => {
    if (reason === 'signed_out') window.location.assign('/');
    if (reason === 'lost') window.location.replace('/login');
  });
}
