import { badRequest, unsupportedMediaType } from '../errors.ts';
import type { App } from './app.ts';

/**
 * JSON is the only body read. An empty one counts as none (clients set the header on calls without a body), keys that
 * would poison prototypes are refused, and so are null characters, which PostgreSQL cannot store, here and in addresses.
 * A compressed body is refused too: it could be a thousand times the size that the limit sees.
 */
export function readOnlyJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') {
      done(null, undefined);
      return;
    }
    // The framework's parser reports through the callback; its type also allows one that returns a promise.
    void parse(request, text, (error, body: unknown) => {
      const refused = error === null && text.includes('\\u0000') && holdsNull(body);
      done(refused ? nullCharacter('body') : error, body);
    });
  });
  app.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) throw nullCharacter('address');
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw unsupportedMediaType();
  });
}

function nullCharacter(where: string) {
  return badRequest(
    `The ${where} holds a null character, which cannot be stored. Leave it out.`,
    'malformed',
  );
}

function holdsNull(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000');
  if (Array.isArray(value)) return value.some(holdsNull);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key.includes('\u0000') || holdsNull(item));
}
