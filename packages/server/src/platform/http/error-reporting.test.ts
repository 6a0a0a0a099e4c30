import { expect, test } from 'vitest';
import { errorReportingOf, errorReportingTag } from './error-reporting.ts';

const sentryDsn = 'https://key@errors.example.com/42';

test.each([
  ['https://winnow.example.org', 'production'],
  ['https://staging.winnow.example.org', 'staging'],
  ['https://winnow-staging.example.org', 'staging'],
  ['https://staging-2.example.org:8443', 'staging'],
  ['https://upstaging.example.org', 'development'],
  ['https://other.example.org', 'development'],
  ['http://127.0.0.1:3000', 'development'],
])('errors of %s are reported as %s', (publicUrl, environment) => {
  expect(errorReportingOf({ sentryDsn, productionHost: 'winnow.example.org' }, publicUrl)).toEqual({
    dsn: sentryDsn,
    environment,
  });
});

test('without a DSN, pages do not report errors', () => {
  const reporting = errorReportingOf({ sentryDsn: null, productionHost: null }, 'https://winnow.example.org');
  expect([reporting, errorReportingTag(reporting)]).toEqual([null, '']);
});

test('escapes an address within the attribute', () => {
  const dsn = 'https://key@errors.example.com/"><script>/42';
  expect(errorReportingTag({ dsn, environment: 'staging' })).not.toContain('<script>');
});
