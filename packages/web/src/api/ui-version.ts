/** Value of the cookie that identifies this interface. */
const UI_VERSION = 'winnow';
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

/**
 * Returns the cookie that identifies the interface. The value is the same in every browser, and it
 * expires after 30 days.
 */
export function uiVersionCookie(protocol: string): string {
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `ui_version=${UI_VERSION}; Max-Age=${MAX_AGE_SECONDS}; Path=/; SameSite=Lax${secure}`;
}

/** Sets the cookie `ui_version`. Called once when a page starts. */
export function noteUiVersion(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API requires HTTPS.
  document.cookie = uiVersionCookie(window.location.protocol);
}
