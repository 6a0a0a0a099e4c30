import { MutationObserver, QueryClient, type UseMutationResult } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

/** A guarded mutation without a component. Each call stays pending until it is settled. */
function guarded() {
  const settle: (() => void)[] = [];
  const observer = new MutationObserver<void, Error, string>(new QueryClient(), {
    mutationFn: () => new Promise((resolve) => settle.push(resolve)),
  });
  const unsubscribe = observer.subscribe(() => undefined);
  const busy = { current: false };
  const result = () => {
    const current = observer.getCurrentResult();
    const mutation = {
      ...current,
      mutate: (...call: Parameters<typeof observer.mutate>) =>
        void observer.mutate(...call).catch(() => undefined),
      mutateAsync: current.mutate,
    };
    return oneAtATime(mutation as UseMutationResult<void, Error, string>, busy);
  };
  return { result, settle, unsubscribe };
}

test('a second call is ignored until the first one ends', async () => {
  const { result, settle, unsubscribe } = guarded();
  result().mutate('first');
  result().mutate('second');
  await expect.poll(() => settle.length).toBe(1);
  settle[0]?.();
  await expect.poll(() => result().isSuccess).toBe(true);
  result().mutate('third');
  await expect.poll(() => settle.length).toBe(2);
  unsubscribe();
});

test('a mutation that was reset while it ran can be called again', async () => {
  const { result, settle, unsubscribe } = guarded();
  result().mutate('first');
  await expect.poll(() => settle.length).toBe(1);
  result().reset();
  result().mutate('second');
  await expect.poll(() => settle.length).toBe(2);
  settle[0]?.();
  settle[1]?.();
  await expect.poll(() => result().isSuccess).toBe(true);
  unsubscribe();
});
