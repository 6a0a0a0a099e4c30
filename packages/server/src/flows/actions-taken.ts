import type { ActionTaken } from '@winnow/contract/flow';
import type { Written } from '@winnow/contract/mcp';
import { writtenAnswer } from '../agent-tools/present.ts';
import type { Target } from '../agent-tools/write-target.ts';
import type { ChangeRecord } from '../changes/ledger.ts';

/** What a call did, for the list of what the execution did. */
export function actionOf(
  label: string,
  target: Pick<Target, 'key'>,
  { summary, change_id: changeId, issue_key: key }: Written,
): ActionTaken {
  return { action: label, target_key: target.key ?? key ?? null, summary, change_id: changeId ?? null };
}

/** The same, as far as the change tells that was saved by the call. */
export function actionBy(label: string, record: ChangeRecord): ActionTaken {
  const { change, issues } = record;
  // A dependency is written to the issue that waits, which its change names last.
  const written = change.kind === 'dependency' ? issues.at(-1) : issues[0];
  return actionOf(label, { key: written?.key ?? null }, writtenAnswer(record));
}
