import { describe, expect, test } from 'vitest';
import { fateOfOurs, fateOfOutside, policyOf } from './policy.ts';

const ours = (isReading: boolean) => ({ server: 'winnow', name: 'tool', isReading });
const outside = (isReading: boolean) => ({ server: 'Wiki', name: 'tool', isReading });

describe('a policy', () => {
  test('is what was chosen, else allows what is ours or only reads, and asks for the rest', () => {
    expect(policyOf({}, ours(false))).toBe('allow');
    expect(policyOf({}, outside(true))).toBe('allow');
    expect(policyOf({}, outside(false))).toBe('ask');
    expect(policyOf({ 'Wiki/tool': 'deny' }, outside(true))).toBe('deny');
    expect(policyOf({ 'winnow/tool': 'ask' }, ours(true))).toBe('ask');
    expect(policyOf({}, { server: '__proto__', name: 'x', isReading: false })).toBe('ask');
  });
});

describe('one of our tools', () => {
  const usual = { isInside: true, writeMode: 'apply', dryRun: false } as const;

  test('writes at once only where it is allowed to, applies, and stays inside', () => {
    expect(fateOfOurs(ours(false), 'allow', usual)).toBe('apply');
    expect(fateOfOurs(ours(false), 'ask', usual)).toBe('propose');
    expect(fateOfOurs(ours(false), 'allow', { ...usual, writeMode: 'propose' })).toBe('propose');
    expect(fateOfOurs(ours(false), 'allow', { ...usual, isInside: false })).toBe('propose');
  });

  test('that writes does nothing in a dry run, and one that is denied never does', () => {
    expect(fateOfOurs(ours(false), 'allow', { ...usual, dryRun: true })).toBe('pretend');
    expect(fateOfOurs(ours(true), 'allow', { ...usual, dryRun: true })).toBe('run');
    expect(fateOfOurs(ours(true), 'deny', usual)).toBe('deny');
  });
});

test('an outside tool is called where it is allowed, left to a person where it asks, and not called in a dry run if it may write', () => {
  expect(fateOfOutside(outside(false), 'allow', { dryRun: false })).toBe('run');
  expect(fateOfOutside(outside(false), 'ask', { dryRun: false })).toBe('propose');
  expect(fateOfOutside(outside(true), 'ask', { dryRun: true })).toBe('pretend');
  expect(fateOfOutside(outside(false), 'allow', { dryRun: true })).toBe('pretend');
  expect(fateOfOutside(outside(true), 'allow', { dryRun: true })).toBe('run');
  expect(fateOfOutside(outside(true), 'deny', { dryRun: false })).toBe('deny');
});
