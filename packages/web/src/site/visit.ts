/**
 * What goes on beside a public page once it is drawn: the theme follows the system and other tabs, and the live channel
 * is open. None of it is needed to read the page, so its code is loaded when the browser has nothing else to do.
 */
export function startVisit(): void {
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200));
  idle(() => {
    void import('../theme/theme-store.ts').then(({ watchTheme }) => watchTheme());
    void import('../api/live/visitor.ts').then(({ startVisitorChannel }) => startVisitorChannel());
  });
}
