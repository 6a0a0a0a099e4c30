import type { SpecCheck } from '../spec-check.ts';
import type { Exchange } from './host.ts';

/**
 * Compares a request and its response with the published API description. Returns one sentence per
 * deviation. Ignores requests that got an error response, and responses that a fault changed.
 */
export function exchangeErrors(check: SpecCheck, exchange: Exchange): string[] {
  const where = `${exchange.method} ${exchange.path} ${exchange.status}`;
  const errors: string[] = [];
  if (exchange.status < 400) {
    const { method, path, query, requestHeaders: headers, requestBody: body } = exchange;
    errors.push(
      ...check
        .checkRequest({ method, path, query, headers, body })
        .errors.map((e) => `${where} request ${e}`),
    );
  }
  if (exchange.fault === null && exchange.method !== 'HEAD') {
    const { method, path, status, responseBody: body } = exchange;
    errors.push(
      ...check.checkResponse({ method, path, status, body }).errors.map((e) => `${where} answer ${e}`),
    );
  }
  return errors;
}
