import { useMutation, useQuery } from '@tanstack/react-query';
import { type Dependency, type DependencyGraph, MOST_SCANNED, SCAN_DEPTH } from '@winnow/contract/dependency';
import { useState } from 'react';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { queryClient } from '../../api/query/query-client.ts';
import { dependenciesAt, type KnownIssues, type ListedIssue, mergeDependencies } from './dependency-state.ts';
import { extendedText, scannedText } from './dependency-texts.ts';
import { scanFurther, scanIssues, scanOptions } from './queries.ts';

/** What was looked at from a page of issues, and what that showed. */
export type Scan = {
  /**
   * What is known of the issues of the page and those that were taken in, also towards others of
   * the project.
   */
  dependencies: readonly Dependency[];
  issueOf: KnownIssues;
  /** Issues that Expand Scan added and the page does not list: those with dependencies first. */
  further: readonly ListedIssue[];
  /** The issues that take part. */
  size: number;
  /** Result of the last scan as text; null before the first scan. */
  said: string | null;
  /** Describes which issues could not be scanned. */
  notice: string | null;
  /** A tracker or a language model is still being asked: more may come. */
  checking: boolean;
  /** Under way; the rows stand already. */
  pending: boolean;
  error: unknown;
  retry: () => void;
  /** Scans again, and has the trackers asked for their links once more. */
  again: () => void;
  scanningAgain: boolean;
  /** Takes in the issues nearest to one. */
  expand: (issueId: string) => void;
  /** The issue whose nearest are being taken in. */
  expanding: string | null;
  /** Why the last one could not be expanded. */
  expandError: unknown;
  retryExpand: () => void;
  /** True if the maximum number of issues is scanned. */
  full: boolean;
};

/** Issues that were taken in beside a page. */
type Further = { place: string; issues: readonly ListedIssue[]; said: string | null };

/**
 * Scans the issues of a page when it shows, and further ones when asked to. `place` tells one page
 * from others: what was taken in on one stays there. Null waits for the page. `known` is what is
 * known of the whole project.
 */
export function useScan(
  place: string,
  listed: readonly ListedIssue[] | null,
  known: DependencyGraph | undefined,
): Scan {
  const [held, setHeld] = useState<Further>({ place, issues: [], said: null });
  const further = held.place === place ? held : { place, issues: [], said: null };
  const issues = new Map([...further.issues, ...(listed ?? [])].map((issue) => [issue.id, issue]));
  const ids = [...issues.keys()].slice(0, MOST_SCANNED);
  const scan = useQuery({ ...scanOptions(ids), enabled: listed !== null && ids.length > 0 });

  const again = useOneAtATime(
    useMutation({
      mutationFn: (issueIds: readonly string[]) => scanIssues(issueIds, true),
      onSuccess: (found, issueIds) => {
        queryClient.setQueryData(scanOptions(issueIds).queryKey, found);
        // What is said last is of all that takes part.
        setHeld((now) => ({ ...now, said: null }));
      },
    }),
  );
  const extend = useOneAtATime(
    useMutation({
      mutationFn: ({ issueIds, issueId }: { place: string; issueIds: string[]; issueId: string }) =>
        scanFurther(issueIds, issueId, Math.min(SCAN_DEPTH, MOST_SCANNED - issueIds.length)),
      onSuccess: (found, asked) => {
        const before = queryClient.getQueryData(scanOptions(asked.issueIds).queryKey);
        const all = [...asked.issueIds, ...found.issues.map(({ id }) => id)];
        // Those among the ones before are known already.
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
          said: extendedText(found.issues.length, found.dependencies.length),
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
    said: scan.data === undefined ? null : (further.said ?? scannedText(ids.length, dependencies.length)),
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
    full: ids.length >= MOST_SCANNED,
  };
}
