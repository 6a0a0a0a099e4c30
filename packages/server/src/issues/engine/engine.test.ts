import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../platform/database-unavailable.ts';
import { Engine, EngineStopped } from './engine.ts';

test('an unreachable database is distinguished from other faults across the thread', async () => {
  const engine = new Engine({ connection: { host: '127.0.0.1', port: 1 }, logLevel: 'silent' });
  const call = () => engine.call('refresh', { accountId: randomUUID() });
  await expect(call()).rejects.toBeInstanceOf(DatabaseUnavailable);
  const waiting = call();
  await engine.close();
  await expect(waiting).rejects.toBeInstanceOf(EngineStopped);
  await expect(call()).rejects.toBeInstanceOf(EngineStopped);
});
