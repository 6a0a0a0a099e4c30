import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../session/api-error.ts';

/** Retries of a read after a network or server error. */
const RETRIES = 2;

/** True if an error may be temporary: no response, or a server error. */
function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** The only query cache of the page, invalidated by live events. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < RETRIES && isTemporary(error),
    },
    mutations: { retry: false },
  },
});
