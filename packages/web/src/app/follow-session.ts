import { onAuthChange, watchOtherTabs } from '../api/session/session.ts';

/**
 * Leaves the console when the session ends in any tab: to `/` after signing out, to sign-in if
 * lost. Loading a new page discards all data of the session.
 */
export function followSession(): void {
  watchOtherTabs();
  onAuthChange(({ reason }) => {
    if (reason === 'signed_out') window.location.assign('/');
    if (reason === 'lost') window.location.replace('/login');
  });
}
