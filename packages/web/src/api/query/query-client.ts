import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../session/api-error.ts';

/** Number of retries of a read request after a network error or a server error. */
const RETRIES = 2;

/** True if the request may succeed later: there was no response, or the server failed. */
function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** The only query cache of the page. Live events invalidate its queries. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < RETRIES && isTemporary(error),
    },
    mutations: { retry: false },
  },
});
