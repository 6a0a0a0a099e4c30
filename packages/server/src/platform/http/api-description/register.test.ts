import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startApp } from '../../testing/http-app.ts';
import { DESCRIPTION_PATH } from './register.ts';

/** Counts Brotli compressions until the end of the test. */
function countCompressions() {
  const spy = vi.spyOn(zlib, 'brotliCompress');
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}

test('the description is built and compressed once, also for concurrent first requests', async () => {
  const { app } = await startApp((it) => it.get('/api/v1/things', async () => ({})));
  const compressed = countCompressions();
  const written = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => void written.mockRestore());
  const get = () => app.inject({ url: DESCRIPTION_PATH, headers: { 'accept-encoding': 'br' } });
  const answers = [...(await Promise.all([get(), get(), get()])), await get(), await get()];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const documents = written.mock.calls.filter(([value]) => Object.hasOwn(Object(value), 'openapi'));
  expect(documents).toHaveLength(1);
  expect(compressed).toHaveBeenCalledTimes(1);
});

test('each file of the reference is compressed once', async () => {
  const { app } = await startApp(() => undefined);
  const compressed = countCompressions();
  for (let times = 0; times < 3; times += 1) {
    for (const path of ['/api/docs', '/api/docs/static/start.js']) {
      expect((await app.inject(path)).statusCode).toBe(200);
    }
  }
  expect(compressed).toHaveBeenCalledTimes(2);
});
