/**
 * Returns the URL if its scheme is `http` or `https`, otherwise null. URLs from trackers are
 * untrusted.
 */
export function safeHref(address: string): string | null {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null;
}
