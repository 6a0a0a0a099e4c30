import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { changePreview, type ResolutionPayload } from '@winnow/contract/change';
import type { PairDetail } from '@winnow/contract/duplicate';
import { type SuggestionRequest, suggestion } from '@winnow/contract/suggestion';
import { queryKeys } from '../../../../app/query-keys.ts';
import { api } from '../../../../app/session/session.ts';

/** So long after the last letter a preview is made of what is typed. */
const TYPING_PAUSE_MS = 400;
/** Each letter typed is a preview of its own, which nobody looks at again. */
const TYPED_KEPT_MS = 10_000;

/**
 * What a resolution would write with texts that are being edited; null while there is nothing to write. The preview before
 * stays, as `isPlaceholderData`, until the new one is there. With `typing` it waits for a pause.
 */
export function useEditedPreview(payload: ResolutionPayload | null, typing: boolean) {
  const request = { kind: 'resolution', payload } as const;
  return useQuery({
    queryKey: [...queryKeys.previews.all, request],
    queryFn: async ({ signal }) => {
      if (typing) await pause(TYPING_PAUSE_MS, signal);
      return api('POST', '/changes/preview', { body: request, schema: changePreview, signal });
    },
    enabled: payload !== null,
    placeholderData: keepPreviousData,
    gcTime: TYPED_KEPT_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/**
 * Texts that would resolve a pair. Asked for anew when one of the issues has another text, and never while somebody edits
 * what was suggested.
 */
export function useSuggestion(request: SuggestionRequest, pair: PairDetail | undefined) {
  const hashes = [pair?.issue1.content_hash, pair?.issue2.content_hash];
  return useQuery({
    queryKey: queryKeys.suggestions.of(request, hashes),
    queryFn: ({ signal }) => api('POST', '/ai-suggestion', { body: request, schema: suggestion, signal }),
    enabled: pair !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
