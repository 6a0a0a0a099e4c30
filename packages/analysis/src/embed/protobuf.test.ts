import { expect, test } from 'vitest';
import { MessageWriter } from './protobuf.ts';

test('refuses a negative or fractional number as a varint', () => {
  expect(() => new MessageWriter().integer(1, -1)).toThrow(RangeError);
  expect(() => new MessageWriter().integer(1, 0.5)).toThrow(RangeError);
});

test('writes the examples of the Protocol Buffers documentation', () => {
  const inner = new MessageWriter().integer(1, 150);
  expect([...inner.toBytes()]).toEqual([0x08, 0x96, 0x01]);
  expect([...new MessageWriter().text(2, 'testing').toBytes()]).toEqual([
    0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67,
  ]);
  expect([...new MessageWriter().message(3, inner).toBytes()]).toEqual([0x1a, 0x03, 0x08, 0x96, 0x01]);
});

test('writes floats, and integers of more than 32 bits', () => {
  expect([...new MessageWriter().float(1, 1).toBytes()]).toEqual([0x0d, 0, 0, 0x80, 0x3f]);
  expect([...new MessageWriter().integer(1, 2 ** 35).toBytes()]).toEqual([
    0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01,
  ]);
});
