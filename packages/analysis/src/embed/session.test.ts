import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Precision } from './graph.ts';
import { installedModelFolder } from './model-files.ts';
import { MiniLmSession } from './session.ts';

const texts = [
  'NameNode fails to start after upgrade from 3.2.1 to 3.3.0',
  'Login page crashes with a NullPointerException when the password contains a plus sign. Steps: open the page, type a+b.',
  'Add dark mode',
  'java.lang.OutOfMemoryError: Java heap space at org.apache.hadoop.hdfs.server.datanode.DataNode.run(DataNode.java:1021)',
  'Der Export als PDF schlägt fehl, wenn der Titel Umlaute enthält',
  '请在设置页面增加导出按钮',
  'login',
  'a b c d e f g h '.repeat(40),
];

let rounded: MiniLmSession;
let reference: MiniLmSession;

function open(precision: Precision): Promise<MiniLmSession> {
  return MiniLmSession.open({ folder: installedModelFolder(), maxTokens: 128, precision });
}

beforeAll(async () => {
  rounded = await open('int8');
  reference = await open('float32');
});
afterAll(async () => {
  await rounded.close();
  await reference.close();
});

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

test('each vector has a cosine of at least .99 with that of the published single-precision model', async () => {
  for (const text of texts) {
    const similarity = cosine(await rounded.embed(text), await reference.embed(text));
    expect(similarity, JSON.stringify(text.slice(0, 40))).toBeGreaterThan(0.99);
  }
});

test('the vector of a text without words has a cosine of at least .97', async () => {
  for (const text of ['', 'x', '🚀🚀🚀']) {
    expect(cosine(await rounded.embed(text), await reference.embed(text)), text).toBeGreaterThan(0.97);
  }
});

test('the single-precision graph reproduces the similarities published with the model', async () => {
  const source = await reference.embed('That is a happy person');
  expect(cosine(source, await reference.embed('That is a happy dog'))).toBeCloseTo(0.695, 2);
  expect(cosine(source, await reference.embed('That is a very happy person'))).toBeCloseTo(0.943, 2);
  expect(cosine(source, await reference.embed('Today is a sunny day'))).toBeCloseTo(0.257, 2);
});
