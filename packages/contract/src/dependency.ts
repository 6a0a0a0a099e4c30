import { z } from 'zod';
import { baseHashes } from './change.ts';
import { issueReference, issueSummary } from './issue.ts';
import { id, projectReference } from './primitives.ts';

/** How many further issues a scan takes in at a time, unless said otherwise. */
export const SCAN_DEPTH = 10;
/** Issues scanned in one call. */
export const MOST_SCANNED = 100;

/** One issue, the source, has to be finished before another, the dependent: the source blocks the dependent. */
export const dependency = z.object({
  /** The two issues with their trackers: keys may be equal across trackers. */
  source: issueReference,
  dependent: issueReference,
  source_issue_id: id,
  /** Of the source. */
  issue_key: z.string(),
  dependent_issue_id: id,
  /** Of the dependent. */
  dependency_key: z.string(),
  /** Why, and why in this direction, in the words of the texts. */
  reason: z.string(),
  confidence_score: z.number().min(0).max(1),
  /** Who found it: the built-in analyst, or the account's model by its name; null for what only a tracker told. */
  found_by: z.string().nullable(),
  /** Its tracker knows it, through us. */
  is_committed: z.boolean(),
  /** Its tracker knew it before we did: there is nothing to commit. */
  comes_from_tracker: z.boolean(),
  /** Committing it was taken back. */
  undone: z.boolean(),
  /** The change that committed it. */
  change_id: id.nullable(),
});
export type Dependency = z.infer<typeof dependency>;

const scanned = z.object({ issue_ids: z.array(id).min(1).max(MOST_SCANNED) });
export const detectRequest = scanned.extend({
  /** Asks the trackers for links again that they told of a short while ago. */
  refresh: z.boolean().default(false),
});
export const extendRequest = scanned.extend({
  extend_by: z.int().min(1).max(MOST_SCANNED).default(SCAN_DEPTH),
});
export const dependencyList = z.object({
  dependencies: z.array(dependency),
  /** What could not be looked at, in a sentence; null when nothing was left out. */
  notice: z.string().nullable(),
  /** A language model or a tracker is still being asked; the live channel tells when it is through. */
  checking: z.boolean(),
});
/** What a further scan found: new dependencies, and the issues it took in, nearest first; none when all were scanned. */
export const extendedScan = dependencyList.extend({ issues: z.array(issueSummary) });

const named = dependency.pick({ source_issue_id: true, dependent_issue_id: true });
export type NamedDependency = z.infer<typeof named>;
export const commitRequest = z.object({
  dependencies: z
    /** With the hashes of its preview, so that what was seen is what is written. */
    .array(named.extend({ base_hashes: baseHashes.optional() }))
    .min(1)
    .max(MOST_SCANNED),
});
export type CommitRequest = z.infer<typeof commitRequest>;
export const commitResult = z.object({
  /** Those that their tracker has acknowledged. */
  dependencies: z.array(dependency),
  /**
   * With the change that failed, where it came to one: it can be tried again. `code` tells why, as the codes of errors do:
   * `step_failed` for a change, `out_of_time` for what was not begun in time.
   */
  failed: z.array(
    z.object({ dependency: named, code: z.string(), detail: z.string(), change_id: id.nullable() }),
  ),
  /** Changes that are still being applied: the live channel tells when they are through. */
  pending: z.array(z.object({ dependency: named, change_id: id })),
});
export type CommitResult = z.infer<typeof commitResult>;

/** A person says that there is no such dependency, or takes that back: while it stands, it is not listed. */
export const dismissRequest = named;

export const graphQuery = z.object({ project_id: projectReference });
/** What somebody said is no dependency of a project. */
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
        /** Column in the drawing: everything it waits for stands further left. */
        layer: z.int().min(0),
      }),
  ),
  dependencies: z.array(
    dependency.extend({
      /** The source is closed, so nothing waits for it any more. */
      is_satisfied: z.boolean(),
      /** It is part of a circle, which nobody can work off. */
      is_in_cycle: z.boolean(),
    }),
  ),
  /** Ids of the issues of each circle. */
  cycles: z.array(z.array(id)),
  /** The longest row of open issues that wait for one another, first what has to be done first. */
  longest_chain: z.array(id),
  /** Of how many of the project's issues the texts were read as they are now; the rest are being read. */
  scan: z.object({ read: z.int(), total: z.int() }),
});
export type DependencyGraph = z.infer<typeof dependencyGraph>;
