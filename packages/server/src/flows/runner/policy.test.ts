import { describe, expect, test } from 'vitest';
import { decideExternalCall, decideOwnCall, policyOf } from './policy.ts';

const ours = (isReading: boolean) => ({ server: 'winnow', name: 'tool', isReading });
const outside = (isReading: boolean) => ({ server: 'Wiki', name: 'tool', isReading });

describe('a policy', () => {
  test('is the chosen one; by default, Winnow’s own tools and reading tools are allowed, and other tools require approval', () => {
    expect(policyOf({}, ours(false))).toBe('allow');
    expect(policyOf({}, outside(true))).toBe('allow');
    expect(policyOf({}, outside(false))).toBe('ask');
    expect(policyOf({ 'Wiki/tool': 'deny' }, outside(true))).toBe('deny');
    expect(policyOf({ 'winnow/tool': 'ask' }, ours(true))).toBe('ask');
    expect(policyOf({}, { server: '__proto__', name: 'x', isReading: false })).toBe('ask');
  });
});

describe('an own tool', () => {
  const usual = { isInside: true, writeMode: 'apply', dryRun: false } as const;

  test('applies writes only if allowed, in apply mode, and inside the project', () => {
    expect(decideOwnCall(ours(false), 'allow', usual)).toBe('apply');
    expect(decideOwnCall(ours(false), 'ask', usual)).toBe('propose');
    expect(decideOwnCall(ours(false), 'allow', { ...usual, writeMode: 'propose' })).toBe('propose');
    expect(decideOwnCall(ours(false), 'allow', { ...usual, isInside: false })).toBe('propose');
  });

  test('only simulates writes in a dry run, and never runs if denied', () => {
    expect(decideOwnCall(ours(false), 'allow', { ...usual, dryRun: true })).toBe('pretend');
    expect(decideOwnCall(ours(true), 'allow', { ...usual, dryRun: true })).toBe('run');
    expect(decideOwnCall(ours(true), 'deny', usual)).toBe('deny');
  });
});

test('an external tool is called if allowed, proposed if approval is required, and not called in a dry run if it may write', () => {
  expect(decideExternalCall(outside(false), 'allow', { dryRun: false })).toBe('run');
  expect(decideExternalCall(outside(false), 'ask', { dryRun: false })).toBe('propose');
  expect(decideExternalCall(outside(true), 'ask', { dryRun: true })).toBe('pretend');
  expect(decideExternalCall(outside(false), 'allow', { dryRun: true })).toBe('pretend');
  expect(decideExternalCall(outside(true), 'allow', { dryRun: true })).toBe('run');
  expect(decideExternalCall(outside(true), 'deny', { dryRun: false })).toBe('deny');
});
