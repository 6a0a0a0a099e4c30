/**
 * Starts the background tasks of a public page: follows theme changes and opens the live channel.
 * Their code is loaded when the browser is idle, since the page can be read without it.
 */
export function startVisit(): void {
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200));
  idle(() => {
    void import('../theme/theme-store.ts').then(({ watchTheme }) => watchTheme());
    void import('../api/live/visitor.ts').then(({ startVisitorChannel }) => startVisitorChannel());
  });
}
