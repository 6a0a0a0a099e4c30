/** One HTTP request. A call consists of its first request and one more request per redirect. */
export type Call = { method: string; headers: Headers; body: Uint8Array<ArrayBuffer> | null };

/**
 * Headers that may be sent to another origin after a redirect, because none of them can contain a
 * credential.
 */
const CROSS_ORIGIN_HEADERS = new Set([
  'accept',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]);

/**
 * Returns the next request if the response is a redirect, else null. The method changes as in the
 * Fetch standard (section 4.4, HTTP-redirect fetch). In addition, only harmless headers are sent to
 * another origin.
 *
 * `carriesBodyElsewhere` is true if the request would send a body to another origin. The caller
 * must not send such a request.
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
    if (crossesOrigin && !CROSS_ORIGIN_HEADERS.has(name)) continue;
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
