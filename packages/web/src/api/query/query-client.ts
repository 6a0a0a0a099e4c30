import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../session/api-error.ts';

/** How often a read is tried again when the server or the network is at fault. */
const RETRIES = 2;

/** Only what may pass by itself is tried again: no answer, or a fault of the server. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** One cache for the whole page; live events say when what it holds is out of date. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < RETRIES && mayPass(error),
    },
    mutations: { retry: false },
  },
});
