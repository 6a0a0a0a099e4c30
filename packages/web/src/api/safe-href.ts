/** The address if a browser may be sent there: `http` and `https` only. Trackers' texts are data, so others are null. */
export function safeHref(address: string): string | null {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null;
}
