import { z } from 'zod';
import { baseHashes } from './change.ts';
import { issueReference, issueSummary } from './issue.ts';
import { id, projectReference } from './primitives.ts';

/** Default number of further issues added by a scan. */
export const SCAN_DEPTH = 10;
/** Maximum issues scanned per request. */
export const MAX_SCANNED_ISSUES = 100;

/** A dependency: the source must be finished before the dependent. */
export const dependency = z.object({
  /** The two issues with their trackers, because keys may be equal across trackers. */
  source: issueReference,
  dependent: issueReference,
  source_issue_id: id,
  /** State of the source. */
  issue_key: z.string(),
  dependent_issue_id: id,
  /** State of the dependent. */
  dependency_key: z.string(),
  /** Reason for the dependency and its direction, in the words of the texts. */
  reason: z.string(),
  confidence_score: z.number().min(0).max(1),
  /**
   * Finder: the built-in analyst, or the name of the account's model. Null if only a
   * tracker reported it.
   */
  found_by: z.string().nullable(),
  /** True if it was written to the tracker through Winnow. */
  is_committed: z.boolean(),
  /** True if the tracker already had it, so that there is nothing to commit. */
  comes_from_tracker: z.boolean(),
  /** True if committing it was undone. */
  undone: z.boolean(),
  /** The change that committed it. */
  change_id: id.nullable(),
});
export type Dependency = z.infer<typeof dependency>;

const scanned = z.object({ issue_ids: z.array(id).min(1).max(MAX_SCANNED_ISSUES) });
export const detectRequest = scanned.extend({
  /** Requests links from trackers again, even if they were read recently. */
  refresh: z.boolean().default(false),
});
export const extendRequest = scanned.extend({
  extend_by: z.int().min(1).max(MAX_SCANNED_ISSUES).default(SCAN_DEPTH),
});
export const dependencyList = z.object({
  dependencies: z.array(dependency),
  /** Sentence on what could not be checked, or null. */
  notice: z.string().nullable(),
  /**
   * True while a language model or a tracker is still working. The live channel reports the end.
   */
  checking: z.boolean(),
});
/**
 * Result of a further scan: new dependencies, and the added issues, nearest first. Empty if all
 * issues were scanned.
 */
export const extendedScan = dependencyList.extend({ issues: z.array(issueSummary) });

const named = dependency.pick({ source_issue_id: true, dependent_issue_id: true });
export type NamedDependency = z.infer<typeof named>;
export const commitRequest = z.object({
  dependencies: z
    /** Content hashes from the preview, to write only what was displayed. */
    .array(named.extend({ base_hashes: baseHashes.optional() }))
    .min(1)
    .max(MAX_SCANNED_ISSUES),
});
export type CommitRequest = z.infer<typeof commitRequest>;
export const commitResult = z.object({
  /** Dependencies confirmed by the tracker. */
  dependencies: z.array(dependency),
  /**
   * Dependencies that could not be written, with the failed change if there is one, which can be
   * retried. `code` is `step_failed` for a change, `out_of_time` if it was not started in time,
   * or another error code.
   */
  failed: z.array(
    z.object({ dependency: named, code: z.string(), detail: z.string(), change_id: id.nullable() }),
  ),
  /** Changes still being applied. The live channel reports the end. */
  pending: z.array(z.object({ dependency: named, change_id: id })),
});
export type CommitResult = z.infer<typeof commitResult>;

/** Dismisses a dependency, or restores it. Dismissed ones are not listed. */
export const dismissRequest = named;

export const graphQuery = z.object({ project_id: projectReference });
/** Dismissed dependencies of a project. */
export const dismissedList = z.object({ dependencies: z.array(dependency) });
export const dependencyGraph = z.object({
  issues: z.array(
    issueSummary
      .pick({
        id: true,
        project_id: true,
        key: true,
        title: true,
        status: true,
        state: true,
        url: true,
        created_at: true,
      })
      .extend({
        /** Column in the graph: everything it waits for is further left. */
        layer: z.int().min(0),
      }),
  ),
  dependencies: z.array(
    dependency.extend({
      /** True if the source is closed, so that it blocks nothing. */
      is_satisfied: z.boolean(),
      /** True if it is part of a cycle, which cannot be resolved by finishing issues. */
      is_in_cycle: z.boolean(),
    }),
  ),
  /** Issue ids of each cycle. */
  cycles: z.array(z.array(id)),
  /** Longest chain of open issues that wait for each other, in order of work. */
  longest_chain: z.array(id),
  /**
   * Number of the project's issues whose current texts have been read. The others are in
   * progress.
   */
  scan: z.object({ read: z.int(), total: z.int() }),
});
export type DependencyGraph = z.infer<typeof dependencyGraph>;
