import { describe, expect, test } from 'vitest';
import { isHookCheckDue } from './hook-check.ts';

const at = new Date('2026-03-02T08:00:00Z');
const now = {
  url: 'https://winnow.example.org/hook',
  trackerUrl: 'https://github.com',
  credentials: Buffer.from('a'),
  secretVersion: 1,
  at,
};
const hook = {
  state: 'registered' as const,
  url: now.url,
  tracker_url: now.trackerUrl,
  credentials_hash: now.credentials,
  secret_version: 1,
  checked_at: new Date(at.getTime() - 60_000),
};
const hoursAgo = (hours: number) => new Date(at.getTime() - hours * 60 * 60_000);

describe('a webhook check is due', () => {
  test("without a webhook, and when our URL or the tracker's URL changed", () => {
    expect(isHookCheckDue(undefined, now)).toBe(true);
    expect(isHookCheckDue({ ...hook, url: 'https://former.example.org/hook' }, now)).toBe(true);
    expect(isHookCheckDue({ ...hook, tracker_url: 'https://github.example.org' }, now)).toBe(true);
    expect(isHookCheckDue(hook, now)).toBe(false);
    expect(isHookCheckDue({ ...hook, credentials_hash: Buffer.from('b') }, now)).toBe(false);
  });

  test('when an event was missed, the secret is outdated, or the last check is half a day old', () => {
    expect(isHookCheckDue(hook, { ...now, secretVersion: 2 })).toBe(true);
    expect(isHookCheckDue({ ...hook, checked_at: null }, now)).toBe(true);
    expect(isHookCheckDue({ ...hook, checked_at: hoursAgo(11) }, now)).toBe(false);
    expect(isHookCheckDue({ ...hook, checked_at: hoursAgo(12) }, now)).toBe(true);
  });

  test('after a failure, and after a refusal a day later or with other credentials', () => {
    expect(isHookCheckDue({ ...hook, state: 'failed' }, now)).toBe(true);
    const refused = { ...hook, state: 'refused' as const };
    expect(isHookCheckDue(refused, now)).toBe(false);
    expect(isHookCheckDue({ ...refused, checked_at: hoursAgo(23) }, now)).toBe(false);
    expect(isHookCheckDue({ ...refused, checked_at: hoursAgo(24) }, now)).toBe(true);
    expect(isHookCheckDue({ ...refused, credentials_hash: Buffer.from('b') }, now)).toBe(true);
  });
});
