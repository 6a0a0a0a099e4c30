import { expect, test } from 'vitest';
import {
  explainFailure,
  OutboundRefused,
  OutboundTimeout,
  OutboundUnreachable,
  refusedAddress,
} from './outbound-errors.ts';

/** Creates an error like those of `fetch`, in which the cause contains the reason. */
function failed(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

test.each([
  ['UND_ERR_CONNECT_TIMEOUT', /did not accept a connection in time/, OutboundTimeout],
  ['UND_ERR_HEADERS_TIMEOUT', /did not respond in time/, OutboundTimeout],
  ['UND_ERR_BODY_TIMEOUT', /stopped in the middle/, OutboundTimeout],
  ['ENOTFOUND', /No host named tracker\.example/, OutboundUnreachable],
  ['EAI_AGAIN', /could not be resolved/, OutboundUnreachable],
  ['ECONNREFUSED', /Nothing responds at tracker\.example/, OutboundUnreachable],
  ['EHOSTUNREACH', /no network route/, OutboundUnreachable],
  ['ECONNRESET', /closed the connection/, OutboundUnreachable],
  ['CERT_HAS_EXPIRED', /certificate .* has expired/, OutboundUnreachable],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/, OutboundUnreachable],
  ['EPROTO', /does not speak HTTPS/, OutboundUnreachable],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /does not speak HTTPS/, OutboundUnreachable],
  ['HPE_INVALID_CONSTANT', /did not respond in HTTP/, OutboundUnreachable],
  ['E_UNHEARD_OF', /failed\. Try again/, OutboundUnreachable],
])('explains failures of a public host: %s', (code, sentence, kind) => {
  const explained = explainFailure('tracker.example', failed(code));
  expect(explained).toBeInstanceOf(kind);
  expect(explained.detail).toMatch(sentence);
});

test('explains failures of a private host with one sentence if they would reveal open ports', () => {
  const told = (code: string) => explainFailure('10.1.2.3', failed(code), 'private');
  const alike = [
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'ECONNREFUSED',
    'EHOSTUNREACH',
    'ECONNRESET',
    'EPROTO',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'HPE_INVALID_CONSTANT',
    'E_UNHEARD_OF',
  ].map((code) => `${told(code).code} ${told(code).detail}`);
  expect(new Set(alike)).toEqual(
    new Set([expect.stringMatching(/^outbound_unreachable Nothing responds at/)]),
  );
  expect(told('ENOTFOUND').detail).toMatch(/No host named/);
  expect(told('DEPTH_ZERO_SELF_SIGNED_CERT').detail).toMatch(/NODE_EXTRA_CA_CERTS/);
});

test('returns a refusal among the causes unchanged', () => {
  const refusal = refusedAddress('10.1.2.3:80');
  const explained = explainFailure('10.1.2.3', new TypeError('fetch failed', { cause: refusal }), 'private');
  expect(explained).toBe(refusal);
  expect(explained).toBeInstanceOf(OutboundRefused);
});
