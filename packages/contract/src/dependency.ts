import { z } from 'zod';
import { baseHashes } from './change.ts';
import { issueReference, issueSummary } from './issue.ts';
import { id, projectReference } from './primitives.ts';

/** Default number of further issues added by a scan. */
export const SCAN_DEPTH = 10;
/** Maximum issues scanned per request. */
export const MAX_SCANNED_ISSUES = 100;

/** A dependency: the dependent issue must wait until the source issue is finished. */
export const dependency = z.object({
  /** The two issues with their trackers, because keys may be equal across trackers. */
  source: issueReference,
  dependent: issueReference,
  source_issue_id: id,
  /** Key, title and state of the source issue. */
  issue_key: z.string(),
  dependent_issue_id: id,
  /** Key, title and state of the dependent issue. */
  dependency_key: z.string(),
  /** Why the dependent issue must wait, in the words of the texts. */
  reason: z.string(),
  confidence_score: z.number().min(0).max(1),
  /**
   * Name of the analyst that found it: the built-in analyst, or a model of the account. Null if
   * only a tracker listed it.
   */
  found_by: z.string().nullable(),
  /** True if it was written to the tracker through Winnow. */
  is_committed: z.boolean(),
  /** True if the tracker listed it already, so that it need not be committed. */
  comes_from_tracker: z.boolean(),
  /** True if it was committed and the commit was undone. */
  undone: z.boolean(),
  /** The change that committed it. */
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
  /** A sentence about what could not be checked. Null if everything was. */
  notice: z.string().nullable(),
  /**
   * True while a language model or a tracker has not responded yet. The live channel reports the
   * result.
   */
  checking: z.boolean(),
});
/**
 * Result of adding issues to a scan: the new dependencies, and the added issues, nearest first.
 * Both are empty if all issues were scanned.
 */
export const extendedScan = dependencyList.extend({ issues: z.array(issueSummary) });

const named = dependency.pick({ source_issue_id: true, dependent_issue_id: true });
export type NamedDependency = z.infer<typeof named>;
export const commitRequest = z.object({
  dependencies: z
    /**
     * `base_hashes` are the content hashes from the preview. With them, the commit fails if an
     * issue has changed since.
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
   * Dependencies that could not be written. If a change was saved, it is named and can be retried;
   * `code` is then `step_failed`. Otherwise `code` is `out_of_time` if it was not started in time,
   * or another error code.
   */
  failed: z.array(
    z.object({ dependency: named, code: z.string(), detail: z.string(), change_id: id.nullable() }),
  ),
  /** Changes that are still being applied. The live channel reports the result. */
  pending: z.array(z.object({ dependency: named, change_id: id })),
});
export type CommitResult = z.infer<typeof commitResult>;

/** Names the dependency to dismiss or restore. Dismissed dependencies are not listed. */
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
        /** Column of the issue in the graph. All issues that it waits for have a lower number. */
        layer: z.int().min(0),
      }),
  ),
  dependencies: z.array(
    dependency.extend({
      /** True if the source issue is closed, so that the dependent issue need not wait. */
      is_satisfied: z.boolean(),
      /**
       * True if it is part of a cycle. Its issues wait for each other, so none could be finished
       * first.
       */
      is_in_cycle: z.boolean(),
    }),
  ),
  /** Ids of the issues of each cycle. */
  cycles: z.array(z.array(id)),
  /**
   * Ids of the issues of the longest chain of open issues that wait for each other, the first to
   * finish first.
   */
  longest_chain: z.array(id),
  /**
   * Number of the project's issues, and of those whose current texts have been searched. The others
   * will be searched soon.
   */
  scan: z.object({ read: z.int(), total: z.int() }),
});
export type DependencyGraph = z.infer<typeof dependencyGraph>;
