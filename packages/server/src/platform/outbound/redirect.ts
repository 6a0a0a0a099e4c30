/** One request as it is sent to one hop. */
export type Call = { method: string; headers: Headers; body: Uint8Array<ArrayBuffer> | null };

/** All that another origin gets to see of the first request's headers: none that could be a credential. */
const HARMLESS = new Set([
  'accept',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]);

/**
 * Where an answer sends the call next, or null when it is no redirect. The method changes as the Fetch standard has it
 * (section 4.4, HTTP-redirect fetch); beyond it, every header that is not known to be harmless stays behind on a change
 * of origin. A hop that would carry a body to another origin says so, and is not to be made.
 */
export function nextHop(
  from: URL,
  call: Call,
  answer: { status: number; headers: { get(name: string): string | null } },
): { url: string; call: Call; carriesBodyElsewhere: boolean } | null {
  if (![301, 302, 303, 307, 308].includes(answer.status)) return null;
  const location = answer.headers.get('location');
  if (location === null || !URL.canParse(location, from.href)) return null;
  const url = new URL(location, from);

  const becomesGet =
    (answer.status === 303 && call.method !== 'GET' && call.method !== 'HEAD') ||
    ((answer.status === 301 || answer.status === 302) && call.method === 'POST');
  const crossesOrigin = url.origin !== from.origin;
  const headers = new Headers();
  for (const [name, value] of call.headers) {
    if (crossesOrigin && !HARMLESS.has(name)) continue;
    if (becomesGet && name.startsWith('content-')) continue;
    headers.append(name, value);
  }
  return {
    url: url.href,
    carriesBodyElsewhere: crossesOrigin && !becomesGet && call.body !== null,
    call: becomesGet
      ? { method: 'GET', headers, body: null }
      : { method: call.method, headers, body: call.body },
  };
}
