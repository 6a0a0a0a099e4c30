import { isUtf8 } from 'node:buffer';
import { badRequest, tooLarge, unsupportedMediaType } from '../errors.ts';
import type { App } from './app.ts';
import { malformedAddress } from './error-response.ts';
import { exceedsJsonValueCount } from './json-value-count.ts';
import { isApi } from './site.ts';

/**
 * Maximum values in a body. 1 MB could hold hundreds of thousands. The largest valid body, a
 * tracker with 2,000 rules, has 8,000.
 */
const MAX_BODY_VALUES = 12_000;

/**
 * Reads JSON bodies only:
 * - An empty body counts as none, since clients set the header without one.
 * - Keys that would pollute prototypes are refused.
 * - Text that PostgreSQL cannot store is refused, in bodies and API addresses.
 * - Compressed bodies are refused: they could exceed the limit a thousandfold.
 * - Bodies with too many values are refused before they are parsed, since parsing and validation
 *   would block other requests.
 */
export function readOnlyJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) {
      done(null, undefined);
      return;
    }
    if (!isUtf8(bytes)) {
      done(unstorable('body'));
      return;
    }
    if (exceedsJsonValueCount(bytes, MAX_BODY_VALUES)) {
      done(tooLarge(`The body has more than ${MAX_BODY_VALUES.toLocaleString('en')} values.`));
      return;
    }
    const text = bytes.toString();
    // The framework's parser reports by callback; its type also allows a promise.
    void parse(request, text, (error, body: unknown) => {
      // In well-formed UTF-8, only an escape can encode text that cannot be stored.
      const refused = error === null && text.includes('\\u') && !isStorable(body);
      done(refused ? unstorable('body') : error, body);
    });
  });
  app.addHook('onRequest', async (request) => {
    if (isApi(request.url)) refuseUnstorable(request.url);
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw unsupportedMediaType();
  });
}

function refuseUnstorable(url: string): void {
  const text = decoded(url);
  if (text === null) throw malformedAddress();
  if (!isText(text)) throw unstorable('address');
}

function unstorable(where: string) {
  return badRequest(
    `The ${where} contains a null character or an unpaired surrogate, which cannot be stored. Remove it.`,
    'malformed',
  );
}

/** Returns null if a percent sequence is not valid UTF-8. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function isStorable(body: unknown): boolean {
  const waiting = [body];
  // Nested values are appended to the queue, so deep bodies do not exhaust the call stack.
  for (const value of waiting) {
    if (typeof value === 'string') {
      if (!isText(value)) return false;
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) waiting.push(key, item);
    }
  }
  return true;
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
