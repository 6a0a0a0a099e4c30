/** The interface that this page is part of. */
const UI_VERSION = 'winnow';
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

/** Returns the cookie that states which interface the browser uses: the same value in every browser, for 30 days. */
export function uiVersionCookie(protocol: string): string {
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `ui_version=${UI_VERSION}; Max-Age=${MAX_AGE_SECONDS}; Path=/; SameSite=Lax${secure}`;
}

/** Sets the cookie `ui_version`. Called once when a page starts. */
export function noteUiVersion(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in pages without HTTPS.
  document.cookie = uiVersionCookie(window.location.protocol);
}
