import { z } from 'zod';
import { CHANGE_REQUEST, comment, issue, issueSummary, statusFilter } from './issue.ts';
import { id, pageQuery, projectReference, repeated } from './primitives.ts';

/** Kinds of search: by meaning, by words, or a hybrid that merges the ranks of both. */
export const searchType = z.enum(['similarity', 'fulltext', 'hybrid']);
export type SearchType = z.infer<typeof searchType>;

export const searchItemType = z.enum(['issue', CHANGE_REQUEST, 'comment']);
export type SearchItemType = z.infer<typeof searchItemType>;

/** Maximum length of a query. Longer queries are rejected, not truncated. */
export const MAX_QUERY_CHARS = 1_000;

/** Item types to search, comma-separated or repeated. */
const itemTypes = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',') : value),
  z.array(searchItemType).min(1).max(3).default(['issue']),
);

/** Message for an invalid region. */
const BAD_REGION =
  'A region is four numbers between -1000 and 1000: its left, lower, right and upper edge, such as "-1.5,0,0.25,2".';
const COORDINATE = /^-?\d{1,3}(?:\.\d{1,4})?$/;

/** A rectangle of the map as `left,lower,right,upper`. The edges are part of the rectangle. */
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

/** Formats a region for {@link mapRegion}. Coordinates may have at most four decimals. */
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
   * Search words, `"phrases"` and `-excluded` words, or the key, id or URL of an issue. An empty
   * query lists the newest items.
   */
  query: z.string().trim().max(MAX_QUERY_CHARS).default(''),
  search_type: searchType.default('hybrid'),
  /** Accepted for compatibility, but ignored. There is only one kind of embedding. */
  embedding_type: z.string().max(100).optional(),
  /**
   * Accepted for compatibility, but ignored. An empty query always lists the newest items first.
   * Other queries list the best matches first.
   */
  sort: z.literal('newest').optional(),
  item_types: itemTypes,
  status: statusFilter.default('all'),
  project_id: repeated(projectReference),
  /**
   * Limits the results to issues in this region of the map. The map contains the issues that match
   * `project_id` and `status`. Change requests and comments are not on the map.
   */
  region: mapRegion.optional(),
  /** Limits the results to the issues of a cluster and their comments. */
  cluster_id: id.optional(),
  include: z.enum(['ids']).optional(),
  ...pageQuery(10),
});

/** Matches in a text, as sorted UTF-16 ranges that do not overlap. */
export const highlight = z.object({
  field: z.enum(['key', 'title', 'description', 'body']),
  start: z.int().min(0),
  end: z.int().min(1),
});
export type Highlight = z.infer<typeof highlight>;

const found = {
  /**
   * Similarity from 0 to 1, by meaning and words.
   * Change requests and comments are compared by words only. 1 if the query is the key, id or URL
   * of the item. Null without a query, or while the index is busy.
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
 * Maximum number of results that are counted exactly. For more results, interfaces display "more
 * than". Lists without a query are always counted exactly.
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
  /** A sentence about data that the search could not use. Null if the search used all data. */
  notice: z.string().nullable(),
  /**
   * Number of issues in the region, including issues that do not match the query. Null without a
   * region.
   */
  region_total: z.int().nullable(),
  /** Ids of the counted results on all pages, if requested. */
  ids: z.array(z.uuid()).optional(),
});
export type SearchResults = z.infer<typeof searchResults>;

export const mapQuery = z.object({
  /** Ids of projects, comma-separated or repeated. All projects if omitted. */
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
  /** Number of the theme that the issue belongs to. Null if it belongs to none. */
  cluster_id: z.int().nullable(),
  /** Vector as base64 of little-endian float32 values. Present only if requested. */
  vector: z.string().optional(),
});
export type MapPoint = z.infer<typeof mapPoint>;
export const issueMap = z.object({
  data: z.array(mapPoint),
  /** Themes: groups of nearby points, largest first. */
  clusters: z.array(
    z.object({
      cluster_id: z.int(),
      issues: z.int(),
      /** Words that are typical of the titles in the theme. Null if there are none. */
      name: z.string().nullable(),
    }),
  ),
  /** Number of issues without a vector. They are not on the map yet. */
  missing: z.int(),
  /** Maximum number of points on a map. Null if this map contains all issues. */
  capped_at: z.int().nullable(),
});
export type IssueMap = z.infer<typeof issueMap>;
