import { describe, expect, test } from 'vitest';
import { isDue } from './due.ts';

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

describe('a webhook is made', () => {
  test('where there is none, at another address of ours, and at another address of the tracker', () => {
    expect(isDue(undefined, now)).toBe(true);
    expect(isDue({ ...hook, url: 'https://former.example.org/hook' }, now)).toBe(true);
    expect(isDue({ ...hook, tracker_url: 'https://github.example.org' }, now)).toBe(true);
    expect(isDue(hook, now)).toBe(false);
    expect(isDue({ ...hook, credentials_hash: Buffer.from('b') }, now)).toBe(false);
  });

  test('again where it is doubted, has a former secret, or was not looked at for half a day', () => {
    expect(isDue(hook, { ...now, secretVersion: 2 })).toBe(true);
    expect(isDue({ ...hook, checked_at: null }, now)).toBe(true);
    expect(isDue({ ...hook, checked_at: hoursAgo(11) }, now)).toBe(false);
    expect(isDue({ ...hook, checked_at: hoursAgo(12) }, now)).toBe(true);
  });

  test('again after a failure, and after a refusal a day later or with other credentials', () => {
    expect(isDue({ ...hook, state: 'failed' }, now)).toBe(true);
    const refused = { ...hook, state: 'refused' as const };
    expect(isDue(refused, now)).toBe(false);
    expect(isDue({ ...refused, checked_at: hoursAgo(23) }, now)).toBe(false);
    expect(isDue({ ...refused, checked_at: hoursAgo(24) }, now)).toBe(true);
    expect(isDue({ ...refused, credentials_hash: Buffer.from('b') }, now)).toBe(true);
  });
});
