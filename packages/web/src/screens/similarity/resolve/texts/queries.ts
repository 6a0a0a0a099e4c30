import { useQuery } from '@tanstack/react-query';
import type { PairDetail } from '@winnow/contract/duplicate';
import { type SuggestionRequest, suggestion } from '@winnow/contract/suggestion';
import { queryKeys } from '../../../../api/query/query-keys.ts';
import { api } from '../../../../api/session/session.ts';

/**
 * Loads suggested texts for resolving a pair. Loads them again if the text of an issue changes, but
 * never while the user edits a suggestion.
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
