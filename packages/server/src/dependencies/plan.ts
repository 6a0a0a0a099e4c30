import { z } from 'zod';
import type { ChangePlan, PlannedStep } from '../changes/index.ts';
import { type IssueView, keyBeside, mention, toMentionedIssue } from '../issues/index.ts';

/** Schema of the payload of a change that commits a dependency. */
export const dependencyMemory = z.object({ source_issue: z.string(), dependent_issue: z.string() });
type DependencyMemory = z.infer<typeof dependencyMemory>;

const ONLY_WITHOUT_LINK_TYPE = 'Posted only if the tracker has no link type for this.';

export interface DependencyPlan extends ChangePlan {
  payload: DependencyMemory;
}

/**
 * Plans the change that stores in the tracker that one issue blocks another. If the tracker has no
 * such link, or the issues are in different trackers, the change posts a comment on the blocked
 * issue instead. Pure function.
 */
export function planDependency(
  source: IssueView,
  dependent: IssueView,
  { reason, confidence }: { reason: string | null; confidence: number | null },
): DependencyPlan {
  const isOneTracker = source.tracker_id === dependent.tracker_id;
  const link: PlannedStep = {
    action: 'link_blocking',
    issueId: source.id,
    key: source.key,
    before: {},
    after: { blocks: dependent.key },
    memory: { linked_id: dependent.id },
  };
  const [blocker, blocked] = [toMentionedIssue(source), toMentionedIssue(dependent)];
  const comment: PlannedStep = {
    action: 'comment',
    issueId: dependent.id,
    key: dependent.key,
    before: {},
    after: {
      comment: `Has to wait for:\n\n- [ ] ${mention(blocker, blocked)}`,
      ...(isOneTracker ? { condition: ONLY_WITHOUT_LINK_TYPE } : {}),
    },
    ...(isOneTracker ? { memory: { unless_linked: true } } : {}),
  };
  return {
    kind: 'dependency',
    title: `${keyBeside(blocker, blocked)} blocks ${keyBeside(blocked, blocker)}.`,
    rationale: reason,
    confidence,
    issues: [source, dependent].map(({ id, key, content_hash }) => ({ id, key, contentHash: content_hash })),
    steps: isOneTracker ? [link, comment] : [comment],
    payload: { source_issue: source.id, dependent_issue: dependent.id },
  };
}
