import { z } from 'zod';
import { CHANGE_REQUEST, comment, issue, issueSummary, statusFilter } from './issue.ts';
import { pageQuery, projectReference, repeated } from './primitives.ts';

/** How a search goes about it: by meaning, by words, or by both, their ranks fused. */
export const searchType = z.enum(['similarity', 'fulltext', 'hybrid']);
export type SearchType = z.infer<typeof searchType>;

export const searchItemType = z.enum(['issue', CHANGE_REQUEST, 'comment']);
export type SearchItemType = z.infer<typeof searchItemType>;

/** Longer queries are refused, not cut. */
export const LONGEST_QUERY = 1_000;

/** Comma-separated or repeated. */
const itemTypes = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',') : value),
  z.array(searchItemType).min(1).max(3).default(['issue']),
);

/** What a region says of itself when it makes no sense. */
const BAD_REGION =
  'A region is four numbers between -1000 and 1000: its left, lower, right and upper edge, such as "-1.5,0,0.25,2".';
const NUMBER = /^-?\d{1,3}(?:\.\d{1,4})?$/;

/** A rectangle of the map of issues: `left,lower,right,upper`, its edges included. */
export const mapRegion = z.string().transform((text, { addIssue }) => {
  const parts = text.split(',');
  const [left = 0, lower = 0, right = 0, upper = 0] = parts.map(Number);
  if (parts.length === 4 && parts.every((part) => NUMBER.test(part)) && left <= right && lower <= upper) {
    return { left, lower, right, upper };
  }
  addIssue({ code: 'custom', message: BAD_REGION });
  return z.NEVER;
});
export type MapRegion = z.output<typeof mapRegion>;

/** The region as {@link mapRegion} reads it, when its edges have at most four digits after the point. */
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
  /** Words, `"phrases"` and `-excluded` words, or what names one issue: its key, id or address. Empty: the newest first. */
  query: z.string().trim().max(LONGEST_QUERY).default(''),
  search_type: searchType.default('hybrid'),
  /** Accepted, and without effect: there is one kind of embedding. */
  embedding_type: z.string().max(100).optional(),
  /** Accepted, and without effect: an empty query lists the newest first, any other the best. */
  sort: z.literal('newest').optional(),
  item_types: itemTypes,
  status: statusFilter.default('all'),
  project_id: repeated(projectReference),
  /**
   * Only issues that the map of these projects and this status has in this region. Change requests and comments are not on
   * the map.
   */
  region: mapRegion.optional(),
  include: z.enum(['ids']).optional(),
  ...pageQuery(10),
});

/** Where a text has what was searched for: UTF-16 ranges, in order, that do not overlap. */
export const highlight = z.object({
  field: z.enum(['key', 'title', 'description', 'body']),
  start: z.int().min(0),
  end: z.int().min(1),
});
export type Highlight = z.infer<typeof highlight>;

const found = {
  /**
   * From 0 to 1, by meaning and words as pairs are; change requests and comments have no vectors and are compared by words
   * alone. 1 for what the query names by key, id or address. Null where nothing was searched for, and when the index of
   * the account is busy.
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

/** What a query finds is counted to here; from then on there are "more than". What is only listed is counted to its end. */
export const MOST_COUNTED = 1_000;
export const searchResults = z.object({
  results: z.array(searchResult),
  total: z.int(),
  /** There are more than `total`. */
  total_is_capped: z.boolean(),
  limit: z.int(),
  skip: z.int(),
  search_type: searchType,
  /** What the search had to do without, in a sentence; null when nothing is missing. */
  notice: z.string().nullable(),
  /** Issues in the region, whatever is searched for; null without a region. */
  region_total: z.int().nullable(),
  /** Everything that the query finds as far as it is counted, whatever the page, when asked for. */
  ids: z.array(z.uuid()).optional(),
});
export type SearchResults = z.infer<typeof searchResults>;

export const mapQuery = z.object({
  /** Comma-separated or repeated; all projects when left out. */
  project_ids: z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').filter((part) => part !== '') : (value ?? [])),
    z.array(projectReference).max(500),
  ),
  status: statusFilter.default('all'),
  include: z.enum(['vectors']).optional(),
});

/** An issue's place on a map on which issues of like meaning are near each other; as issues come and change, it moves a little. */
export const mapPoint = z.object({
  issue_id: issue.shape.id,
  project_id: issue.shape.project_id,
  issue_key: z.string(),
  issue_title: z.string(),
  state: issue.shape.state,
  x: z.number(),
  y: z.number(),
  /** Number of the theme it belongs to; null for one that belongs to none. */
  cluster_id: z.int().nullable(),
  /** Base64 of little-endian float32, when asked for. */
  vector: z.string().optional(),
});
export type MapPoint = z.infer<typeof mapPoint>;
export const issueMap = z.object({
  data: z.array(mapPoint),
  /** The themes of these points, the largest first. */
  clusters: z.array(
    z.object({
      cluster_id: z.int(),
      issues: z.int(),
      /** Words that the titles of the theme share and those of others do not; null when there are none. */
      name: z.string().nullable(),
    }),
  ),
  /** Issues that are not on it yet, since they have no vector. */
  missing: z.int(),
  /** Only so many are drawn; null when all are. */
  capped_at: z.int().nullable(),
});
export type IssueMap = z.infer<typeof issueMap>;
