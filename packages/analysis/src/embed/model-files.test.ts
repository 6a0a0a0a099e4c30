import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMiniLm } from '../embed.ts';
import { installedModelFolder, modelFiles, readModelFile } from './model-files.ts';
import { ModelUnavailable } from './model-unavailable.ts';

let path: string;
let folder: URL;

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'winnow-model-'));
  folder = pathToFileURL(`${path}/`);
});
afterAll(() => rm(path, { recursive: true }));

test('the error for a missing model file names the file', async () => {
  const reading = readModelFile(folder, modelFiles.weights);
  await expect(reading).rejects.toThrow(ModelUnavailable);
  await expect(reading).rejects.toThrow(/model\.fp16\.safetensors cannot be read/);
});

test('a model file with one changed byte makes the model unavailable', async () => {
  const original = await readModelFile(installedModelFolder(), modelFiles.tokenizer);
  original[1000] = (original[1000] ?? 0) ^ 1;
  await writeFile(join(path, modelFiles.tokenizer.name), original);
  await expect(readModelFile(folder, modelFiles.tokenizer)).rejects.toThrow(/SHA-256 differs/);

  const opening = openMiniLm({ folder });
  await expect(opening).rejects.toThrow(ModelUnavailable);
  await expect(opening).rejects.toThrow(/tokenizer\.json is not the one expected/);
});

test('the installed model files have the expected hashes', async () => {
  const weights = await readModelFile(installedModelFolder(), modelFiles.weights);
  expect(weights.byteLength).toBe(45_441_937);
});
