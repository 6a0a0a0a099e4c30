import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { ERROR_REPORTING_PLACE, PRODUCTION_HOST_PLACE, SITE_ORIGIN } from '@winnow/contract/site';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, startServer } from '../testing/http-app.ts';

const SCRIPT = 'console.log("winnow");';
const THEME = 'document.title = "dark";';
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let folder: string;
let root: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-site-'));
  root = join(folder, 'dist');
  await mkdir(join(root, 'assets'), { recursive: true });
  await mkdir(join(root, 'pricing'));
  await writeFile(join(folder, 'secret.key'), 'hunter2');
  await writeFile(join(root, 'index.html'), '<!doctype html><title>landing</title>');
  await writeFile(join(root, 'client.html'), `<!doctype html>${PRODUCTION_HOST_PLACE}<title>client</title>`);
  await writeFile(join(root, '404.html'), '<!doctype html><title>own 404</title>');
  await writeFile(
    join(root, 'pricing', 'index.html'),
    `<!doctype html>${ERROR_REPORTING_PLACE}<title>pricing</title>`,
  );
  await writeFile(join(root, 'robots.txt'), 'User-agent: *');
  await writeFile(join(root, 'sitemap.xml'), `<urlset><url><loc>${SITE_ORIGIN}/pricing</loc></url></urlset>`);
  await writeFile(join(root, 'theme.js'), THEME);
  await writeFile(join(root, '.env'), 'hunter2');
  await writeFile(join(root, 'assets', 'app-1a2b3c4d.js'), SCRIPT);
  await writeFile(join(root, 'assets', 'app-1a2b3c4d.js.br'), brotliCompressSync(`${SCRIPT} // br`));
  await writeFile(join(root, 'assets', 'app-1a2b3c4d.js.gz'), gzipSync(`${SCRIPT} // gz`));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const withSite = () => ({
  site: { root, clientRoutes: ['/console/*', '/login'], clientPage: 'client.html' },
});

describe('serves nothing outside the folder', () => {
  test.each([
    '/../secret.key',
    '/assets/../../secret.key',
    '/%2e%2e/secret.key',
    '/assets/%2e%2e/%2e%2e/secret.key',
    '/..%2fsecret.key',
    '/assets/..%2f..%2fsecret.key',
    '/..%5csecret.key',
    '/%252e%252e/secret.key',
    '//secret.key',
    '/assets//../../secret.key',
    '/console/../../secret.key',
    '/.env',
    '/%2eenv',
  ])('%s', async (path) => {
    const { port } = await startServer(() => undefined, withSite());
    // Uses a raw socket, since HTTP clients normalize the path.
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let said = '';
    for await (const piece of socket) said += piece;
    expect(said).toMatch(/^HTTP\/1\.1 (?:400|403|404) /);
    expect(said).not.toContain('hunter2');
  });
});

test.each([
  '/nothing',
  '/nothing/',
  '/pricing/nothing',
  '/login/nothing',
  '/console-evil',
  '/apiary',
  '/.env',
  '/..%2fsecret.key',
  '/%E0%A4%A',
  '/%E0%A4%A/',
  '/login%',
  '/%ff?page=2',
  '/a%00b',
  '/assets/gone-00000000.js',
  `/${'long%'.repeat(500)}`,
])('a missing page returns our own page with status 404: %.20s', async (url) => {
  const { app } = await startApp(() => undefined, withSite());
  const page = await app.inject({ url, headers: HTML });
  expect([page.statusCode, page.headers['content-type'], page.body]).toEqual([
    404,
    'text/html; charset=utf-8',
    expect.stringContaining('own 404'),
  ]);
  expect(page.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-security-policy': expect.stringContaining("default-src 'self'"),
    'x-request-id': expect.any(String),
  });
  const head = await app.inject({ method: 'HEAD', url, headers: HTML });
  expect([head.statusCode, head.body]).toEqual([404, '']);
});

test('returns an error body for unknown addresses to programs, and below the API to everyone', async () => {
  const { app } = await startApp(() => undefined, withSite());
  for (const request of [
    { url: '/nothing' },
    { url: '/%E0%A4%A' },
    { url: '/assets/gone-00000000.js', headers: { accept: '*/*' } },
    { url: '/console/data.json', headers: { accept: 'application/json' } },
    { url: '/api/v1/nothing', headers: HTML },
    { url: '/api', headers: HTML },
    { url: '/mcp/nothing', headers: HTML },
  ]) {
    const answer = await app.inject(request);
    expect([request.url, answer.statusCode, answer.json().code]).toEqual([request.url, 404, 'not_found']);
  }
  const written = await app.inject({ url: '/console/page', method: 'POST', headers: HTML });
  expect([written.statusCode, written.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  for (const url of ['/api/v1/%E0%A4%A', '/api/%00', '/mcp/%ff']) {
    const answer = await app.inject({ url, headers: HTML });
    expect([url, answer.statusCode, answer.json().code]).toEqual([url, 400, 'malformed']);
  }
});

test.each([
  ['/', 'a page'],
  ['/pricing', 'a page'],
  ['/pricing/?x=1', 'a page'],
  ['/robots.txt', 'a text with the address of the site'],
  ['/theme.js', 'a file'],
  ['/assets/app-1a2b3c4d.js', 'a file'],
  ['/assets/app%2d1a2b3c4d.js', 'a file'],
  ['/login', 'a path of the client'],
  ['/console', 'a path of the client'],
  ['/console/', 'a path of the client'],
  ['/console/issues?page=2', 'a path of the client'],
])('%s (%s) returns 405 and the allowed methods for every method that writes', async (url) => {
  const { app } = await startApp(() => undefined, withSite());
  expect((await app.inject({ url, headers: HTML })).statusCode).toBe(200);
  for (const [method, status] of [
    ['POST', 405],
    ['PUT', 405],
    ['DELETE', 405],
    ['OPTIONS', 204],
  ] as const) {
    const answer = await app.inject({ method, url, headers: HTML });
    expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, status, 'GET, HEAD, OPTIONS']);
  }
});

test('returns 404 without methods for a path that no method has', async () => {
  const { app } = await startApp(() => undefined, withSite());
  for (const url of ['/nothing', '/assets', '/theme.js/x', '/.env', '/404.html', '/%E0%A4%A', '/login/x']) {
    for (const method of ['POST', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url });
      expect([url, answer.statusCode, answer.headers.allow]).toEqual([url, 404, undefined]);
    }
  }
});

test("serves the client page on the client's paths", async () => {
  const { app } = await startApp(() => undefined, withSite());
  for (const url of [
    '/console',
    '/console/',
    '/console/issues/similar?page=2',
    '/console/issues?query=%00',
    '/console/%E0%A4%A',
    `/console/${'long'.repeat(500)}`,
    '/login',
    '/login/',
    '/login?message=bye',
  ]) {
    const answer = await app.inject({ url, headers: HTML });
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('client')]);
    expect(answer.headers['cache-control']).toBe('no-cache');
  }
  expect((await app.inject({ method: 'HEAD', url: '/console', headers: HTML })).statusCode).toBe(200);
});

test('pages are revalidated at each visit; hashed files are immutable', async () => {
  const { app } = await startApp(() => undefined, withSite());
  for (const url of ['/', '/pricing', '/pricing/', '/robots.txt']) {
    const answer = await app.inject({ url, headers: HTML });
    expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([url, 200, 'no-cache']);
    const again = await app.inject({ url, headers: { 'if-none-match': String(answer.headers.etag) } });
    expect(again.statusCode).toBe(304);
  }
  expect((await app.inject('/pricing')).body).toContain('pricing');
  const script = await app.inject('/assets/app-1a2b3c4d.js');
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(script.headers['content-type']).toMatch(/javascript/);
  expect(script.body).toBe(SCRIPT);
});

test('inserts the public address into pages', async () => {
  const { app } = await startApp(() => undefined, {
    ...withSite(),
    publicUrl: 'https://winnow.example.com/',
  });
  const sitemap = await app.inject('/sitemap.xml');
  expect(sitemap.headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(sitemap.body).toContain('<loc>https://winnow.example.com/pricing</loc>');
});

test('sends a compressed variant to clients that accept it', async () => {
  const { app } = await startApp(() => undefined, withSite());
  const get = (encoding: string) =>
    app.inject({ url: '/assets/app-1a2b3c4d.js', headers: { 'accept-encoding': encoding } });
  const brotli = await get('gzip, deflate, br');
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(brotli.headers['content-type']).toMatch(/javascript/);
  expect(brotli.headers['cache-control']).toContain('immutable');
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(`${SCRIPT} // br`);
  expect(gunzipSync((await get('gzip')).rawPayload).toString()).toBe(`${SCRIPT} // gz`);
  expect((await get('identity')).body).toBe(SCRIPT);
});

test('without a build, every page explains how to create one, and the API works', async () => {
  const { app } = await startApp((it) => it.get('/api/v1/ok', async () => ({ ok: true })), {
    site: { root: join(folder, 'absent'), clientRoutes: ['/console/*'], clientPage: 'client.html' },
  });
  for (const url of ['/', '/console']) {
    const answer = await app.inject({ url, headers: HTML });
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm start')]);
  }
  expect((await app.inject('/api/v1/ok')).json()).toEqual({ ok: true });
  expect((await app.inject({ url: '/api/v1/nothing', headers: HTML })).json().code).toBe('not_found');
});

test('contains the error reporting address if and only if it is configured', async () => {
  const errorReporting = { dsn: 'https://key@errors.example.com/42', environment: 'production' } as const;
  const page = async (options: object) => {
    const { app } = await startApp(() => undefined, { ...withSite(), ...options });
    return (await app.inject({ url: '/pricing', headers: HTML })).body;
  };
  expect(await page({ errorReporting })).toBe(
    '<!doctype html><meta name="error-reporting" content="https://key@errors.example.com/42" data-environment="production"><title>pricing</title>',
  );
  expect(await page({})).toBe('<!doctype html><title>pricing</title>');
});

test('tells the console the production host, if configured', async () => {
  const page = async (options: { productionHost?: string }) => {
    const { app } = await startApp(() => undefined, { ...withSite(), ...options });
    return (await app.inject({ url: '/console', headers: HTML })).body;
  };
  expect(await page({ productionHost: 'winnow.example.org' })).toBe(
    '<!doctype html><meta name="production-host" content="winnow.example.org"><title>client</title>',
  );
  expect(await page({})).toBe('<!doctype html><title>client</title>');
});

test("allows only the build's own inline script, by its hash", async () => {
  const { app } = await startApp(() => undefined, withSite());
  const hash = createHash('sha256').update(THEME).digest('base64');
  const { headers } = await app.inject('/');
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`);
});

test('compresses a page once and serves it from memory, with an ETag and 304', async () => {
  const { app } = await startApp(() => undefined, withSite());
  for (const [encoding, expected] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const page = await app.inject({ url: '/', headers: { ...HTML, 'accept-encoding': encoding } });
    expect([encoding, page.headers['content-encoding'], page.headers.vary]).toEqual([
      encoding,
      expected,
      'accept-encoding',
    ]);
    const headers = { ...HTML, 'if-none-match': `"other", ${page.headers.etag}` };
    expect((await app.inject({ url: '/', headers })).statusCode).toBe(304);
  }
});
