import type { SearchResult } from '@winnow/contract/search';
import { presentComment, presentIssue, presentIssueSummary } from '../present.ts';
import type { SearchHit } from './hits.ts';

/** Returns a search result with its highlights, in the form of the API. */
export function presentHit(hit: SearchHit): SearchResult {
  const found = { similarity: hit.similarity, highlights: hit.highlights };
  if (hit.itemType === 'comment') {
    const item = { ...presentComment(hit.comment), issue: presentIssueSummary(hit.issue) };
    return { item_type: 'comment', item, ...found };
  }
  return { item_type: hit.itemType, item: presentIssue(hit.issue), ...found };
}
