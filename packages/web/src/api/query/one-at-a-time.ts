import type { MutateOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Wraps a mutation so that calls are ignored while it is running. `isPending` alone is not enough:
 * it changes with the next render, too late for a double click.
 */
export function useOneAtATime<Data, Failure, Variables, Context>(
  mutation: UseMutationResult<Data, Failure, Variables, Context>,
) {
  const busy = useRef(false);
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
  };
}
