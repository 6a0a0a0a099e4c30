import type { SpecCheck } from '../spec-check.ts';
import type { Exchange } from './host.ts';

/**
 * What is wrong with a request and its answer by the published description, one sentence each. A request that was
 * answered with 4xx may be as wrong as it likes; an answer that a fault made is not looked at.
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
