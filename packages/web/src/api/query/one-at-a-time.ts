import type { MutateOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that takes no second call while one is under way. `isPending` is known only with the next render; the
 * second half of a double click comes before that.
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
