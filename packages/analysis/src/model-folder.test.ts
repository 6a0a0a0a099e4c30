import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedModelFolder } from './embed/model-files.ts';
import { MiniLmSession } from './embed/session.ts';
import { modelFingerprint, openModel } from './embed.ts';
import { readModelFolder } from './model-folder.ts';
import { layOutMiniLm, layOutWordModel } from './testing/model-folders.ts';

const TEXTS = [
  'NameNode fails to start after upgrade from 3.2.1 to 3.3.0',
  'Der Export als PDF schlägt fehl, wenn der Titel Umlaute enthält',
  '请在设置页面增加导出按钮',
  'a b c d e f g h '.repeat(40),
  '',
];
let folder: string;
let pooled: string;
let perToken: string;

/** Copies a folder and replaces some of its files. A file with the value null is left out. */
async function variant(files: Record<string, string | null>): Promise<string> {
  const path = await mkdtemp(join(folder, 'variant-'));
  const all = ['tokenizer.json', 'config.json', 'sentence_bert_config.json', '1_Pooling', 'onnx'];
  const replaced = new Set(Object.keys(files).flatMap((file) => [file, file.split('/')[0] ?? '']));
  for (const file of all) if (!replaced.has(file)) await symlink(join(perToken, file), join(path, file));
  for (const [file, text] of Object.entries(files)) {
    if (text === null) continue;
    await mkdir(join(path, file, '..'), { recursive: true });
    await writeFile(join(path, file), text);
  }
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-model-'));
  [pooled, perToken] = [join(folder, 'pooled'), join(folder, 'per-token')];
  await layOutMiniLm(pooled, { isPooled: true });
  await layOutMiniLm(perToken, { isPooled: false });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a folder with MiniLM', () => {
  test.each(['pooled', 'per-token'])('gives the same vectors as the installed model (%s)', async (name) => {
    const options = { folder: installedModelFolder(), maxTokens: 128, precision: 'float32' } as const;
    const [included, named] = [await MiniLmSession.open(options), await openModel(join(folder, name))];
    try {
      expect(named.dimensions).toBe(384);
      const actual = await named.embed(TEXTS);
      for (const [at, text] of TEXTS.entries()) {
        const expected = await included.embed(text);
        for (const [place, value] of expected.entries()) expect(actual[at]?.[place]).toBeCloseTo(value, 5);
      }
    } finally {
      await Promise.all([included.close(), named.close()]);
    }
  });

  test('has a fingerprint that depends on its files and settings, not on its name', async () => {
    const original = await modelFingerprint(perToken);
    expect(await modelFingerprint(await variant({}))).toBe(original);
    expect(await modelFingerprint(pooled)).not.toBe(original);
    const shorter = await variant({ 'sentence_bert_config.json': '{"max_seq_length": 64}' });
    expect(await modelFingerprint(shorter)).not.toBe(original);
    expect(await modelFingerprint(null)).not.toBe(original);
  });

  test('has another fingerprint after a file was replaced by another of the same size', async () => {
    const path = await variant({ 'model.onnx': 'first file' });
    const original = await modelFingerprint(path);
    expect(await modelFingerprint(path)).toBe(original);
    await writeFile(join(path, 'model.onnx'), 'other file');
    expect(await modelFingerprint(path)).not.toBe(original);
  });

  test('has settings for pooling, prompts and the length of texts', async () => {
    const prompts = { prompts: { query: 'query: ', passage: 'passage: ' } };
    const path = await variant({
      '1_Pooling/config.json': '{"word_embedding_dimension": 384, "pooling_mode_cls_token": true}',
      'config_sentence_transformers.json': JSON.stringify(prompts),
      'sentence_bert_config.json': '{"max_seq_length": 8192}',
    });
    expect(await readModelFolder(path)).toMatchObject({
      pooling: 'cls',
      prefix: 'query: ',
      maxTokens: 512,
      dimensions: 384,
    });
    expect(await readModelFolder(await variant({ '1_Pooling': null }))).toMatchObject({ pooling: 'mean' });
    const prefixed = await variant({
      'config_sentence_transformers.json': JSON.stringify({ ...prompts, default_prompt_name: 'passage' }),
    });
    const [embedder, plain] = [await openModel(prefixed), await openModel(perToken)];
    try {
      const [text = ''] = TEXTS;
      expect(await embedder.embed([text])).toEqual(await plain.embed([`passage: ${text}`]));
    } finally {
      await Promise.all([embedder.close(), plain.close()]);
    }
  });
});

test('a model with another vector length returns vectors of that length, equal for equal texts', async () => {
  const path = join(folder, 'words');
  await layOutWordModel(path, 24);
  const embedder = await openModel(path);
  try {
    expect(embedder.dimensions).toBe(24);
    const [one, other] = await embedder.embed(['a crash', 'a crash']);
    expect(one).toHaveLength(24);
    expect(one).toEqual(other);
  } finally {
    await embedder.close();
  }
});

describe('a folder is refused', () => {
  test.each<[string, Record<string, string | null>, string]>([
    ['without a tokenizer', { 'tokenizer.json': null }, 'has no tokenizer.json'],
    ['without a model', { onnx: null }, 'has no ONNX model'],
    ['with a broken model', { onnx: null, 'model.onnx': 'no model' }, 'onnxruntime cannot load'],
    ['with broken JSON', { 'config.json': '{' }, 'config.json that is not valid JSON'],
    [
      'with another length of vectors',
      {
        '1_Pooling/config.json': '{"word_embedding_dimension": 768, "pooling_mode_mean_tokens": true}',
      },
      'vectors of 384 numbers, but its configuration says 768',
    ],
    [
      'with unknown pooling',
      { '1_Pooling/config.json': '{"pooling_mode_max_tokens": true}' },
      'pools by pooling_mode_max_tokens',
    ],
    [
      'with a file that names no pooling',
      { '1_Pooling/config.json': '{"pooling": "lasttoken", "pooling_mode_mean_tokens": false}' },
      'has a file 1_Pooling/config.json that names no pooling',
    ],
    [
      'with an unknown tokenizer',
      { 'tokenizer.json': '{"model": {"type": "Morse"}}' },
      'of a kind that is not supported',
    ],
    [
      'with a dense layer',
      { 'modules.json': '[{"type": "sentence_transformers.models.Dense"}]' },
      'models.Dense, which is not supported',
    ],
  ])('%s', async (_, files, sentence) => {
    await expect(openModel(await variant(files))).rejects.toThrow(sentence);
  });

  test('if it does not exist, or is a file', async () => {
    await expect(openModel(join(folder, 'none'))).rejects.toThrow('cannot be read');
    await expect(openModel(join(perToken, 'config.json'))).rejects.toThrow('is a file');
  });
});
