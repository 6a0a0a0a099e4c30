import { isUtf8 } from 'node:buffer';
import { badRequest, tooLarge, unsupportedMediaType } from '../errors.ts';
import type { App } from './app.ts';
import { malformedAddress } from './error-response.ts';
import { exceedsJsonValueCount } from './json-value-count.ts';
import { isApi } from './site.ts';

/**
 * Maximum values in a body. A body of 1 MB could hold hundreds of thousands. The largest valid body
 * (a tracker with 2,000 rules) has 8,000 values.
 */
const MAX_BODY_VALUES = 12_000;

/**
 * Makes the application accept only JSON bodies:
 * - An empty body counts as absent, since some clients always send the content type.
 * - Keys that would pollute prototypes are refused.
 * - Text that PostgreSQL cannot store is refused, in bodies and in API addresses.
 * - Compressed bodies are refused: they could decompress to a thousand times the limit.
 * - Bodies with too many values are refused before parsing, since parsing and validating them would
 *   block other requests.
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
    // Fastify's parser uses the callback. Its type also allows a promise, which `void` discards.
    void parse(request, text, (error, body: unknown) => {
      // The bytes are valid UTF-8, so text that cannot be stored must be written with an escape.
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

/** Decodes percent sequences. Returns null if a sequence is not valid UTF-8. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function isStorable(body: unknown): boolean {
  const waiting = [body];
  // Uses a queue instead of recursion, so deeply nested bodies do not exhaust the call stack.
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
