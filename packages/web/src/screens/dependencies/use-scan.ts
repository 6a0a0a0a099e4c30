import { useMutation, useQuery } from '@tanstack/react-query';
import {
  type Dependency,
  type DependencyGraph,
  MAX_SCANNED_ISSUES,
  SCAN_DEPTH,
} from '@winnow/contract/dependency';
import { useState } from 'react';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { queryClient } from '../../api/query/query-client.ts';
import { dependenciesAt, type IssueLookup, type ListedIssue, mergeDependencies } from './dependency-state.ts';
import { extendedText, scannedText } from './dependency-texts.ts';
import { scanFurther, scanIssues, scanOptions } from './queries.ts';

/** Result and state of scanning the issues of a page. */
export type Scan = {
  /**
   * Known dependencies of the scanned issues. The other issue of a dependency may be anywhere in
   * the project.
   */
  dependencies: readonly Dependency[];
  issueOf: IssueLookup;
  /**
   * Issues that Expand Scan added and that are not on the page. Issues with dependencies are first.
   */
  further: readonly ListedIssue[];
  /** Number of scanned issues. */
  size: number;
  /** Text that summarizes the last scan; null before the first scan. */
  summary: string | null;
  /** Text that states which issues could not be scanned; null if all were scanned. */
  notice: string | null;
  /** True while a tracker or language model is still responding. It may add dependencies. */
  checking: boolean;
  /** True while the first scan runs. The issues are displayed without dependencies until then. */
  pending: boolean;
  error: unknown;
  retry: () => void;
  /** Scans the issues again. The server also reads links from the trackers again. */
  again: () => void;
  scanningAgain: boolean;
  /** Scans more issues: those most similar to the given issue. */
  expand: (issueId: string) => void;
  /** Id of the issue from which the scan is being expanded; null if none. */
  expanding: string | null;
  /** Error of the last attempt to expand the scan. */
  expandError: unknown;
  retryExpand: () => void;
  /** True if the maximum number of issues is scanned. */
  full: boolean;
};

/** Issues that were added to the scan of a page. `place` identifies the page. */
type ScanExtension = { place: string; issues: readonly ListedIssue[]; summary: string | null };

/**
 * Scans the listed issues when they are displayed, and more issues on request. `place` identifies
 * the page, since added issues belong to one page. `listed` is null while the page loads. `known`
 * is the dependency graph of the project.
 */
export function useScan(
  place: string,
  listed: readonly ListedIssue[] | null,
  known: DependencyGraph | undefined,
): Scan {
  const [held, setHeld] = useState<ScanExtension>({ place, issues: [], summary: null });
  const further = held.place === place ? held : { place, issues: [], summary: null };
  const issues = new Map([...further.issues, ...(listed ?? [])].map((issue) => [issue.id, issue]));
  const ids = [...issues.keys()].slice(0, MAX_SCANNED_ISSUES);
  const scan = useQuery({ ...scanOptions(ids), enabled: listed !== null && ids.length > 0 });

  const again = useOneAtATime(
    useMutation({
      mutationFn: (issueIds: readonly string[]) => scanIssues(issueIds, true),
      onSuccess: (found, issueIds) => {
        queryClient.setQueryData(scanOptions(issueIds).queryKey, found);
        // Remove the summary of the last extension, so that the summary counts all scanned issues.
        setHeld((now) => ({ ...now, summary: null }));
      },
    }),
  );
  const extend = useOneAtATime(
    useMutation({
      mutationFn: ({ issueIds, issueId }: { place: string; issueIds: string[]; issueId: string }) =>
        scanFurther(issueIds, issueId, Math.min(SCAN_DEPTH, MAX_SCANNED_ISSUES - issueIds.length)),
      onSuccess: (found, asked) => {
        const before = queryClient.getQueryData(scanOptions(asked.issueIds).queryKey);
        const all = [...asked.issueIds, ...found.issues.map(({ id }) => id)];
        // The response contains only dependencies of the added issues. Merge them with the previous
        // ones.
        if (before !== undefined) {
          queryClient.setQueryData(scanOptions(all).queryKey, {
            dependencies: mergeDependencies(before.dependencies, found.dependencies),
            notice: found.notice,
            checking: before.checking || found.checking,
          });
        }
        setHeld((now) => ({
          place: asked.place,
          issues: [...(now.place === asked.place ? now.issues : []), ...found.issues],
          summary: extendedText(found.issues.length, found.dependencies.length),
        }));
      },
    }),
  );
  const isOfThisPage = extend.variables?.place === place;
  const expand = (issueId: string) => extend.mutate({ place, issueIds: ids, issueId });
  const lastAsked = extend.variables?.issueId ?? null;

  const dependencies =
    known === undefined ? (scan.data?.dependencies ?? []) : dependenciesAt(ids, known.dependencies);
  const listedIds = new Set(listed?.map(({ id }) => id));
  const isDependent = ({ id }: ListedIssue) =>
    dependencies.some((one) => one.source_issue_id === id || one.dependent_issue_id === id);
  return {
    dependencies,
    further: further.issues
      .filter(({ id }) => !listedIds.has(id))
      .toSorted((one, other) => Number(isDependent(other)) - Number(isDependent(one))),
    issueOf: (issueId) => issues.get(issueId) ?? known?.issues.find(({ id }) => id === issueId),
    size: ids.length,
    summary:
      scan.data === undefined ? null : (further.summary ?? scannedText(ids.length, dependencies.length)),
    notice: scan.data?.notice ?? null,
    checking: scan.data?.checking ?? false,
    pending: listed === null || (scan.isPending && ids.length > 0),
    error: again.error ?? scan.error,
    retry: () => (again.error === null ? void scan.refetch() : again.mutate(ids)),
    again: () => again.mutate(ids),
    scanningAgain: again.isPending || (scan.isFetching && scan.isError),
    expand,
    expanding: extend.isPending && isOfThisPage ? lastAsked : null,
    expandError: isOfThisPage ? extend.error : null,
    retryExpand: () => {
      if (lastAsked !== null) expand(lastAsked);
    },
    full: ids.length >= MAX_SCANNED_ISSUES,
  };
}
