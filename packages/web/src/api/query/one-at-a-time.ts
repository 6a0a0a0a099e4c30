import type { MutateOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Wraps a mutation so that calls are ignored while one is running. `isPending` alone updates only
 * with the next render, too late for a double click. A reset mutation can be called again.
 */
export function useOneAtATime<Data, Failure, Variables, Context>(
  mutation: UseMutationResult<Data, Failure, Variables, Context>,
) {
  const busy = useRef(false);
  return oneAtATime(mutation, busy);
}

/** Guards a mutation with a flag that outlives it. */
export function oneAtATime<Data, Failure, Variables, Context>(
  mutation: UseMutationResult<Data, Failure, Variables, Context>,
  busy: { current: boolean },
) {
  return {
    ...mutation,
    mutate(variables: Variables, options?: MutateOptions<Data, Failure, Variables, Context>): void {
      if (busy.current) return;
      busy.current = true;
      mutation.mutate(variables, {
        ...options,
        onSettled: (
          ...settled: Parameters<NonNullable<MutateOptions<Data, Failure, Variables, Context>['onSettled']>>
        ) => {
          busy.current = false;
          options?.onSettled?.(...settled);
        },
      });
    },
    reset(): void {
      // A reset mutation does not call `onSettled`.
      busy.current = false;
      mutation.reset();
    },
  };
}
