import { z } from 'zod';
import { baseHashes } from './change.ts';
import { issueReference, issueSummary } from './issue.ts';
import { id, projectReference } from './primitives.ts';

/** Default number of issues that are added when a scan is extended. */
export const SCAN_DEPTH = 10;
/** Maximum issues scanned for dependencies per request. */
export const MAX_SCANNED_ISSUES = 100;

/** A dependency: work on the dependent issue must wait until the source issue is finished. */
export const dependency = z.object({
  /** The two issues with their trackers, because issues in two trackers can have the same key. */
  source: issueReference,
  dependent: issueReference,
  source_issue_id: id,
  /** Key, title and state of the source issue. */
  issue_key: z.string(),
  dependent_issue_id: id,
  /** Key, title and state of the dependent issue. */
  dependency_key: z.string(),
  /** Reason why the dependent issue must wait, quoted from the texts of the issues. */
  reason: z.string(),
  confidence_score: z.number().min(0).max(1),
  /**
   * Name of the analyst that found the dependency: the built-in analyst, or a model of the account.
   * Null if only a tracker listed it.
   */
  found_by: z.string().nullable(),
  /** True if the dependency was written to the tracker through Winnow. */
  is_committed: z.boolean(),
  /** True if the tracker lists the dependency itself. Committing it is then unnecessary. */
  comes_from_tracker: z.boolean(),
  /** True if the dependency was committed and the commit was undone. */
  undone: z.boolean(),
  /** Id of the change that committed the dependency. */
  change_id: id.nullable(),
});
export type Dependency = z.infer<typeof dependency>;

const scanned = z.object({ issue_ids: z.array(id).min(1).max(MAX_SCANNED_ISSUES) });
export const detectRequest = scanned.extend({
  /** True to read links from trackers again, even if they were read recently. */
  refresh: z.boolean().default(false),
});
export const extendRequest = scanned.extend({
  extend_by: z.int().min(1).max(MAX_SCANNED_ISSUES).default(SCAN_DEPTH),
});
export const dependencyList = z.object({
  dependencies: z.array(dependency),
  /** A sentence about the parts that could not be checked. Null if everything was checked. */
  notice: z.string().nullable(),
  /**
   * True while a language model or a tracker has not responded yet. The live channel reports the
   * final result.
   */
  checking: z.boolean(),
});
/**
 * Result of extending a scan: the new dependencies, and the added issues, nearest first. Both lists
 * are empty if all issues had been scanned already.
 */
export const extendedScan = dependencyList.extend({ issues: z.array(issueSummary) });

const named = dependency.pick({ source_issue_id: true, dependent_issue_id: true });
export type NamedDependency = z.infer<typeof named>;
export const commitRequest = z.object({
  dependencies: z
    /**
     * Content hashes from the preview (`base_hashes`). If they are given, the commit fails if an
     * issue has changed since the preview.
     */
    .array(named.extend({ base_hashes: baseHashes.optional() }))
    .min(1)
    .max(MAX_SCANNED_ISSUES),
});
export type CommitRequest = z.infer<typeof commitRequest>;
export const commitResult = z.object({
  /** Dependencies that were written to the tracker. */
  dependencies: z.array(dependency),
  /**
   * Dependencies that could not be written.
   * If a change was saved, `code` is `step_failed`, and the change can be retried by its id.
   * Otherwise `code` is `out_of_time` if the commit did not start in time, or another error code.
   */
  failed: z.array(
    z.object({ dependency: named, code: z.string(), detail: z.string(), change_id: id.nullable() }),
  ),
  /** Changes that are still being applied. The live channel reports the final result. */
  pending: z.array(z.object({ dependency: named, change_id: id })),
});
export type CommitResult = z.infer<typeof commitResult>;

/** Body that names the dependency to dismiss or restore. Lists omit dismissed dependencies. */
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
        /**
         * Column of the issue in the graph. All issues that this issue waits for are in columns
         * with lower numbers.
         */
        layer: z.int().min(0),
      }),
  ),
  dependencies: z.array(
    dependency.extend({
      /** True if the source issue is closed. The dependent issue then need not wait. */
      is_satisfied: z.boolean(),
      /**
       * True if the dependency is part of a cycle. The issues of a cycle wait for each other, so
       * none of them can be finished first.
       */
      is_in_cycle: z.boolean(),
    }),
  ),
  /** Cycles of dependencies. Each entry contains the ids of the issues of one cycle. */
  cycles: z.array(z.array(id)),
  /**
   * Ids of the issues in the longest chain of open issues that wait for each other. The issue to
   * finish first comes first.
   */
  longest_chain: z.array(id),
  /**
   * Progress of searching the project for dependencies. `read` counts issues whose current texts
   * have been searched, `total` counts all issues.
   */
  scan: z.object({ read: z.int(), total: z.int() }),
});
export type DependencyGraph = z.infer<typeof dependencyGraph>;
