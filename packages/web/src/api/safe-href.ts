/**
 * Returns the address if it is `http` or `https`, otherwise null. Addresses from trackers are
 * untrusted.
 */
export function safeHref(address: string): string | null {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null;
}
