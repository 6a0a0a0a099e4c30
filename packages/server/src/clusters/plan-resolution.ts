import type { Fact } from '@winnow/analysis/clusters';
import { type LeftOut, MAX_DESCRIPTION_CHARS, MAX_MARKED_TEXT_CHARS } from '@winnow/contract/change';
import { type ClusterResolution, FACT_KINDS } from '@winnow/contract/cluster';
import { z } from 'zod';
import { type ChangePlan, editSteps, type PlannedStep } from '../changes/index.ts';
import { keyBeside, mention } from '../issues/index.ts';
import { conflict, invalid } from '../platform/errors.ts';

/** Fields of a cluster's issue that planning needs. */
export interface ClosableIssue {
  id: string;
  key: string;
  title: string;
  description: string;
  url: string;
  state: 'opened' | 'closed';
  /** True if the issue was closed as a duplicate, by Winnow or in the tracker. */
  isDuplicate: boolean;
  trackerId: string;
  /** Name and type of the issue's tracker. */
  trackerLabel: string;
  contentHash: string;
}

/** Payload of the change that resolves a cluster. */
export const clusterMemory = z.object({
  cluster_id: z.string(),
  canonical_id: z.string(),
  left_out: z.array(z.object({ issue_id: z.string(), key: z.string(), reason: z.string() })),
  /**
   * Ids of members that the user chose not to close. Missing in changes stored by older versions.
   */
  not_chosen: z.array(z.string()).default([]),
});
export type ClusterMemory = z.infer<typeof clusterMemory>;

/** A change that resolves a cluster by closing its issues. */
export interface ClusterPlan extends ChangePlan {
  payload: ClusterMemory;
  leftOut: LeftOut[];
  /** Revision of the cluster that the caller has read. Absent when a proposal is approved. */
  revision?: number;
}

export interface PlanningInput {
  clusterId: string;
  canonical: ClosableIssue;
  /** Issues to close, oldest first. */
  members: readonly ClosableIssue[];
  /** Requested issues that are not in the cluster. */
  leftOut: readonly LeftOut[];
  /** Ids of members that stay open and are not canonical. */
  notChosen: readonly string[];
  /** Facts that each member adds to the canonical issue, by member id. */
  facts: ReadonlyMap<string, readonly Fact[]>;
  wanted: Pick<
    ClusterResolution,
    'comments' | 'facts' | 'canonical_title' | 'canonical_description' | 'base_hashes'
  >;
}

/**
 * Plans the change that closes issues of a cluster as duplicates of its canonical issue. Skips
 * issues that cannot be closed. The comment on the canonical issue comes last, because it lists the
 * issues that were closed.
 * @throws {AppError} `conflict` if the canonical issue is closed, or if no issue can be closed
 */
export function planClusterResolution(input: PlanningInput): ClusterPlan {
  const { clusterId, canonical, wanted } = input;
  expectCanonical(canonical);
  const seen = wanted.base_hashes ?? {};
  const reasonOf = (member: ClosableIssue) => reasonToLeaveOut(member, canonical, seen[member.id]);
  const closed = input.members.filter((member) => reasonOf(member) === null);
  const leftOut = [
    ...input.leftOut,
    ...input.members.flatMap((member) => {
      const reason = reasonOf(member);
      return reason === null ? [] : [{ issue_id: member.id, key: member.key, reason }];
    }),
  ];
  const [first] = closed;
  if (!first) throw nothingToClose(leftOut);
  expectKnown(wanted.comments ?? {}, [canonical.id, ...input.members.map(({ id }) => id)]);

  const commentOn = (issueId: string, text: string) => ({ comment: wanted.comments?.[issueId] ?? text });
  const quotes = quotesOf(closed, canonical, wanted.facts === 'nowhere' ? new Map() : input.facts);
  const factsQuoted = [...quotes.values()].join('\n\n');
  const lines = linesOf(closed, canonical);
  const description =
    wanted.canonical_description ??
    (wanted.facts === 'description' && factsQuoted !== ''
      ? fitted(canonical.description, factsQuoted, MAX_DESCRIPTION_CHARS)
      : undefined);
  const edits = editSteps(canonical, { title: wanted.canonical_title, description });
  const closing = closed.flatMap((member, at): PlannedStep[] => {
    const target = { issueId: member.id, key: member.key, group: at + 1 };
    return [
      {
        ...target,
        action: 'comment',
        before: {},
        after: commentOn(member.id, `Closing as a duplicate of ${mention(canonical, member)}.`),
        memory: { base_hash: member.contentHash },
      },
      {
        ...target,
        action: 'close_as_duplicate',
        before: { state: 'opened' },
        after: { state: 'closed', duplicate_of: canonical.key },
        memory: { base_hash: member.contentHash, original_id: canonical.id },
      },
    ];
  });
  const quotedInComment = wanted.facts === 'comment' ? [factsQuoted] : [];
  const comment = fitted(
    'These issues report the same problem and were closed as duplicates of this one:',
    [[...lines.values()].join('\n'), ...quotedInComment].join('\n\n').trim(),
    MAX_MARKED_TEXT_CHARS,
  );
  return {
    kind: 'cluster',
    title:
      closed.length === 1
        ? `Closed ${keyBeside(first, canonical)} as duplicate of ${keyBeside(canonical, first)}.`
        : `Closed ${closed.length} issues as duplicates of ${canonical.key}.`,
    rationale: leftOut.length === 0 ? null : `Left out: ${leftOut.map(({ reason }) => reason).join(' ')}`,
    confidence: null,
    issues: [
      { id: canonical.id, key: canonical.key, contentHash: canonical.contentHash },
      // No hash: each of these issues is checked just before its own steps.
      ...closed.map(({ id, key }) => ({ id, key, contentHash: null })),
    ],
    steps: [
      ...edits,
      ...closing,
      {
        action: 'comment',
        group: closed.length + 1,
        issueId: canonical.id,
        key: canonical.key,
        before: {},
        after: commentOn(canonical.id, comment),
        memory: {
          lines: Object.fromEntries(lines),
          ...(wanted.facts === 'comment' ? { quotes: Object.fromEntries(quotes) } : {}),
        },
      },
    ],
    payload: {
      cluster_id: clusterId,
      canonical_id: canonical.id,
      left_out: leftOut,
      not_chosen: [...input.notChosen],
    },
    leftOut,
  };
}

function expectCanonical({ key, state, isDuplicate }: ClosableIssue): void {
  if (state === 'opened') return;
  const how = isDuplicate ? 'is closed as a duplicate itself' : 'is closed';
  throw conflict('canonical_closed', `${key} ${how}. Choose another canonical issue, or reopen it first.`);
}

/**
 * Returns the reason why a member cannot be closed; null if it can. `seen` is its content hash in
 * the caller's preview.
 */
function reasonToLeaveOut(
  member: ClosableIssue,
  canonical: ClosableIssue,
  seen: string | undefined,
): string | null {
  if (member.state === 'closed') return `${member.key} is already closed.`;
  if (seen !== undefined && seen !== member.contentHash) return `${member.key} has changed since you saw it.`;
  if (member.url !== '' && member.url === canonical.url) {
    return `${member.key} is the canonical issue itself, read through a second tracker.`;
  }
  return null;
}

function nothingToClose(leftOut: readonly LeftOut[]) {
  const reasons = leftOut
    .slice(0, MAX_REASONS_IN_ERROR)
    .map(({ reason }) => reason)
    .join(' ');
  return conflict('nothing_to_close', `No issue of this cluster is left to close. ${reasons}`.trim());
}

/** Maximum number of reasons that an error lists. */
const MAX_REASONS_IN_ERROR = 5;

function expectKnown(comments: Readonly<Record<string, string>>, known: readonly string[]): void {
  const unknown = Object.keys(comments).filter((issueId) => !known.includes(issueId));
  if (unknown.length === 0) return;
  const message = 'This resolution posts no comment on this issue.';
  throw invalid(unknown.map((issueId) => ({ path: `comments.${issueId}`, message })));
}

/**
 * Returns the lines of the comment on the canonical issue, one for each closed issue, by issue id.
 */
function linesOf(closed: readonly ClosableIssue[], canonical: ClosableIssue): Map<string, string> {
  return new Map(closed.map((member) => [member.id, `- ${mention(member, canonical)}`]));
}

/**
 * Returns a text for each closed issue, by issue id. The text quotes the facts that the issue adds.
 * Omits issues that add no facts.
 */
function quotesOf(
  closed: readonly ClosableIssue[],
  canonical: ClosableIssue,
  facts: PlanningInput['facts'],
): Map<string, string> {
  return new Map(
    closed.flatMap((member) => {
      const added = facts.get(member.id) ?? [];
      if (added.length === 0) return [];
      const quotes = added.map(({ kind, quote }) => `${FACT_KINDS[kind].label}:\n\n${quoted(kind, quote)}`);
      return [[member.id, `**${mention(member, canonical)}** adds:\n\n${quotes.join('\n\n')}`] as const];
    }),
  );
}

/**
 * Formats a quotation in Markdown. Logs and code go into a code block, which keeps their line
 * breaks.
 */
function quoted(kind: Fact['kind'], quote: string): string {
  const isCode = kind === 'log' || kind === 'sample' || kind === 'error';
  if (!isCode || quote.trimStart().startsWith('```')) {
    return quote
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n');
  }
  const longest = Math.max(2, ...Array.from(quote.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${quote}\n${fence}`;
}

/** Appends whole lines of `appended` to `text`, up to a total of `maxChars` characters. */
function fitted(text: string, appended: string, maxChars: number): string {
  const joined = appended === '' ? text : [text, appended].filter((part) => part !== '').join('\n\n');
  if (joined.length <= maxChars) return joined;
  const end = joined.lastIndexOf('\n', maxChars);
  return end < text.length ? text : joined.slice(0, end);
}
