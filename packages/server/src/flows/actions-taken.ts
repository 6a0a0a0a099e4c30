import type { ActionTaken } from '@winnow/contract/flow';
import type { Written } from '@winnow/contract/mcp';
import { presentWrite, type Target } from '../agent-tools/index.ts';
import type { ChangeRecord } from '../changes/index.ts';

/** Describes the effect of a tool call for an execution's list of actions. */
export function actionOf(
  label: string,
  target: Pick<Target, 'key'>,
  { summary, change_id: changeId, issue_key: key }: Written,
): ActionTaken {
  return { action: label, target_key: target.key ?? key ?? null, summary, change_id: changeId ?? null };
}

/** Describes the effect of a tool call by the change that it saved. */
export function actionBy(label: string, record: ChangeRecord): ActionTaken {
  const { change, issues } = record;
  // A dependency is written to the blocked issue, which is the last issue of its change.
  const written = change.kind === 'dependency' ? issues.at(-1) : issues[0];
  return actionOf(label, { key: written?.key ?? null }, presentWrite(record));
}
