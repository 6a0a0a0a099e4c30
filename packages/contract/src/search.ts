import { z } from 'zod';
import { CHANGE_REQUEST, comment, issue, issueSummary, statusFilter } from './issue.ts';
import { id, pageQuery, projectReference, repeated } from './primitives.ts';

/** Search by meaning, by words, or by both with merged ranks. */
export const searchType = z.enum(['similarity', 'fulltext', 'hybrid']);
export type SearchType = z.infer<typeof searchType>;

export const searchItemType = z.enum(['issue', CHANGE_REQUEST, 'comment']);
export type SearchItemType = z.infer<typeof searchItemType>;

/** Maximum length of a query. Longer queries are rejected, not truncated. */
export const MAX_QUERY_CHARS = 1_000;

/** Comma-separated or repeated. */
const itemTypes = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',') : value),
  z.array(searchItemType).min(1).max(3).default(['issue']),
);

/** Message for an invalid region. */
const BAD_REGION =
  'A region is four numbers between -1000 and 1000: its left, lower, right and upper edge, such as "-1.5,0,0.25,2".';
const COORDINATE = /^-?\d{1,3}(?:\.\d{1,4})?$/;

/** A rectangle of the map: `left,lower,right,upper`, including its edges. */
export const mapRegion = z.string().transform((text, { addIssue }) => {
  const parts = text.split(',');
  const [left = 0, lower = 0, right = 0, upper = 0] = parts.map(Number);
  if (parts.length === 4 && parts.every((part) => COORDINATE.test(part)) && left <= right && lower <= upper) {
    return { left, lower, right, upper };
  }
  addIssue({ code: 'custom', message: BAD_REGION });
  return z.NEVER;
});
export type MapRegion = z.output<typeof mapRegion>;

/** Formats a region for {@link mapRegion}. Edges may have at most four decimals. */
export function regionText({ left, lower, right, upper }: MapRegion): string {
  return [left, lower, right, upper].map((edge) => String(edge + 0)).join(',');
}

export function isInRegion(
  { left, lower, right, upper }: MapRegion,
  { x, y }: { x: number; y: number },
): boolean {
  return x >= left && x <= right && y >= lower && y <= upper;
}

export const searchQuery = z.object({
  /**
   * Words, `"phrases"` and `-excluded` words, or the key, id or URL of an issue. Empty lists the
   * newest items.
   */
  query: z.string().trim().max(MAX_QUERY_CHARS).default(''),
  search_type: searchType.default('hybrid'),
  /** Accepted without effect: there is only one kind of embedding. */
  embedding_type: z.string().max(100).optional(),
  /** Accepted without effect: an empty query lists the newest items first, others the best. */
  sort: z.literal('newest').optional(),
  item_types: itemTypes,
  status: statusFilter.default('all'),
  project_id: repeated(projectReference),
  /**
   * Restricts results to issues in this region of the map of these projects and status. Change
   * requests and comments are not on the map.
   */
  region: mapRegion.optional(),
  /** Restricts results to the members of a cluster and their comments. */
  cluster_id: id.optional(),
  include: z.enum(['ids']).optional(),
  ...pageQuery(10),
});

/** Matches in a text as sorted, disjoint UTF-16 ranges. */
export const highlight = z.object({
  field: z.enum(['key', 'title', 'description', 'body']),
  start: z.int().min(0),
  end: z.int().min(1),
});
export type Highlight = z.infer<typeof highlight>;

const found = {
  /**
   * Similarity from 0 to 1, by meaning and words. Change requests and comments are compared by
   * words only. 1 for items named by key, id or URL. Null without a query, or while the index is
   * busy.
   */
  similarity: z.number().min(0).max(1).nullable(),
  highlights: z.array(highlight),
};
export const searchResult = z.discriminatedUnion('item_type', [
  z.object({ item_type: z.literal('issue'), item: issue, ...found }),
  z.object({ item_type: z.literal(CHANGE_REQUEST), item: issue, ...found }),
  z.object({ item_type: z.literal('comment'), item: comment.extend({ issue: issueSummary }), ...found }),
]);
export type SearchResult = z.infer<typeof searchResult>;

/**
 * Maximum number of counted results; above it, displays say "more than". Listings without a query
 * are counted exactly.
 */
export const MAX_COUNTED_RESULTS = 1_000;
export const searchResults = z.object({
  results: z.array(searchResult),
  total: z.int(),
  /** True if there are more results than `total`. */
  total_is_capped: z.boolean(),
  limit: z.int(),
  skip: z.int(),
  search_type: searchType,
  /** Sentence on what was unavailable to the search, or null. */
  notice: z.string().nullable(),
  /** Number of issues in the region, whatever the query. Null without a region. */
  region_total: z.int().nullable(),
  /** Ids of all counted results on any page, if requested. */
  ids: z.array(z.uuid()).optional(),
});
export type SearchResults = z.infer<typeof searchResults>;

export const mapQuery = z.object({
  /** Comma-separated or repeated. All projects if omitted. */
  project_ids: z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').filter((part) => part !== '') : (value ?? [])),
    z.array(projectReference).max(500),
  ),
  status: statusFilter.default('all'),
  include: z.enum(['vectors']).optional(),
});

/**
 * Position of an issue on a map that places similar issues close together. It shifts slightly as
 * issues change.
 */
export const mapPoint = z.object({
  issue_id: issue.shape.id,
  project_id: issue.shape.project_id,
  issue_key: z.string(),
  issue_title: z.string(),
  state: issue.shape.state,
  x: z.number(),
  y: z.number(),
  /** Number of its theme, or null. */
  cluster_id: z.int().nullable(),
  /** Base64 of little-endian float32, if requested. */
  vector: z.string().optional(),
});
export type MapPoint = z.infer<typeof mapPoint>;
export const issueMap = z.object({
  data: z.array(mapPoint),
  /** Themes of these points, largest first. */
  clusters: z.array(
    z.object({
      cluster_id: z.int(),
      issues: z.int(),
      /** Words typical for titles of the theme, or null if there are none. */
      name: z.string().nullable(),
    }),
  ),
  /** Issues without a vector, which are not on the map yet. */
  missing: z.int(),
  /** Maximum number of points, or null if all are drawn. */
  capped_at: z.int().nullable(),
});
export type IssueMap = z.infer<typeof issueMap>;
