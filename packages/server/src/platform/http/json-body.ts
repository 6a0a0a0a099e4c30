import { isUtf8 } from 'node:buffer';
import { badRequest, tooLarge, unsupportedMediaType } from '../errors.ts';
import { hasMoreValues } from '../many-values.ts';
import type { App } from './app.ts';
import { malformedAddress } from './error-answer.ts';
import { isApi } from './site.ts';

/** A megabyte can hold hundreds of thousands. What the API takes at most, a tracker with 2,000 rules, has 8,000. */
const MOST_VALUES = 12_000;

/**
 * JSON is the only body read. An empty one counts as none (clients set the header on calls without a body), keys that
 * would poison prototypes are refused, and so is text that PostgreSQL cannot store, in bodies and in addresses of the API.
 * A compressed body is refused too: it could be a thousand times the size that the limit sees. So is one of so many values
 * that only looking at each of them would hold up everybody else.
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
    const text = bytes.toString();
    // The framework's parser reports through the callback; its type also allows one that returns a promise.
    void parse(request, text, (error, body: unknown) => {
      if (error === null && hasMoreValues(body, MOST_VALUES)) {
        done(tooLarge(`The body has more than ${MOST_VALUES.toLocaleString('en')} values.`));
        return;
      }
      // In well-formed UTF-8 only an escape can stand for what cannot be stored.
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
    `The ${where} holds a null character or half a character, which cannot be stored. Leave it out.`,
    'malformed',
  );
}

/** Null when what follows a percent sign is no UTF-8. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function isStorable(body: unknown): boolean {
  const waiting = [body];
  // What is found on the way is added at the end: however deep the body is, the call stack is not.
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
