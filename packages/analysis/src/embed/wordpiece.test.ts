import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { installedModelFolder, modelFiles } from './model-files.ts';
import { WordPiece } from './wordpiece.ts';

const tokenizerJson = readFileSync(new URL(modelFiles.tokenizer.name, installedModelFolder()), 'utf8');
const tokenizer = new WordPiece(tokenizerJson);
const pieces = new Map<number, string>();
const vocabulary: Record<string, number> = JSON.parse(tokenizerJson).model.vocab;
for (const [piece, id] of Object.entries(vocabulary)) pieces.set(id, piece);

/** Returns the pieces of a text, joined by spaces, without [CLS] and [SEP]. */
function tokens(text: string, maxTokens = 128): string {
  const ids = [...tokenizer.encode(text, maxTokens)];
  expect(pieces.get(ids[0] ?? -1)).toBe('[CLS]');
  expect(pieces.get(ids.at(-1) ?? -1)).toBe('[SEP]');
  return ids
    .slice(1, -1)
    .map((id) => pieces.get(id))
    .join(' ');
}

describe('WordPiece', () => {
  test('refuses a file of another type of tokenizer', () => {
    expect(() => new WordPiece('{}')).toThrow(/uncased BERT/);
    expect(() => new WordPiece(tokenizerJson.replace('"lowercase":true', '"lowercase":false'))).toThrow(
      /uncased BERT/,
    );
  });

  test('treats a control token in a text as ordinary text', () => {
    expect(tokens('[SEP]')).toBe('[ sep ]');
    expect(tokens('[CLS] [MASK]')).toBe('[ cl ##s ] [ mask ]');
  });

  test('drops control characters and invisible characters without splitting a word', () => {
    expect(tokens('ta\u0000ble\u200b pa\u0007ge\ufeff')).toBe('table page');
    expect(tokens('lone \ud800 half')).toBe('lone half');
    expect(tokens('\u0000\u0001\u200b')).toBe('');
  });

  test('returns [UNK] for a word of more than 100 characters, and for a word with an unknown part', () => {
    expect(tokens('a'.repeat(100))).toMatch(/^aaa ##aa/);
    expect(tokens('a'.repeat(101))).toBe('[UNK]');
    expect(tokens(`before ${'x'.repeat(5000)} after`)).toBe('before [UNK] after');
    expect(tokens('crash 😀👍 again')).toBe('crash [UNK] again');
    expect(tokens('𝒳'.repeat(60))).toBe('[UNK]');
  });

  test('splits a word into the longest known pieces, from left to right', () => {
    expect(tokens('Embeddings are unaffable')).toBe('em ##bed ##ding ##s are una ##ffa ##ble');
    expect(tokens('NullPointerException')).toBe('null ##point ##ere ##x ##ception');
  });

  test('strips accents and lower-cases each letter separately', () => {
    expect(tokens('Ünïcödé NAÏVE İstanbul')).toBe('unicode naive istanbul');
    expect(tokens('ΟΔΟΣ')).toBe('ο ##δ ##ο ##σ');
    expect(tokens('cafe\u0301')).toBe('cafe');
  });

  test('treats each punctuation mark and each Chinese character as a word', () => {
    expect(tokens('x_y=$5;`~`')).toBe('x _ y = $ 5 ; ` ~ `');
    expect(tokens('«da»…')).toBe('« da » …');
    expect(tokens('中文and日本')).toBe('中 文 and 日 本');
    expect(tokens('テキスト')).toBe('テ ##キ ##ス ##ト');
    expect(tokens('한국')).toBe('ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ');
  });

  test('splits at every kind of whitespace', () => {
    expect(tokens('one\ttwo\r\nthree\u00a0four\u2028five\u3000six')).toBe('one two three four five six');
  });

  test('respects the maximum length and ends with [SEP]', () => {
    expect(tokens('')).toBe('');
    expect(tokens('hello world again', 4)).toBe('hello world');
    expect(tokens('unaffable', 4)).toBe('una ##ffa');
    expect(tokenizer.encode('hello', 2)).toHaveLength(2);
  });

  test('reads only the necessary part of a megabyte of text', () => {
    const started = performance.now();
    expect(tokenizer.encode('word '.repeat(200_000), 128)).toHaveLength(128);
    expect(tokenizer.encode('-'.repeat(1_000_000), 128)).toHaveLength(128);
    expect(tokenizer.encode('é'.repeat(1_000_000), 128)).toHaveLength(3);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('returns known ids within the maximum length for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 2, max: 64 }),
        (text, limit) => {
          const ids = tokenizer.encode(text, limit);
          expect(ids.length).toBeLessThanOrEqual(limit);
          for (const id of ids) expect(pieces.has(id)).toBe(true);
        },
      ),
    );
  });
});
