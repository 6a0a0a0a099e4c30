import { SIMILARITY } from '@winnow/contract/duplicate';
import type { BuiltInAnalyst } from '../ai/analyst.ts';
import type { Ledger } from '../changes/ledger.ts';
import { calibrationOf } from '../duplicates/judgments/store.ts';
import { LikelyOriginals } from '../duplicates/likely-originals.ts';
import { IssueEdits } from '../issue-edits/service.ts';
import type { Issues } from '../issues/service.ts';
import type { Trackers } from '../trackers/service.ts';
import type { Foundation } from './foundation.ts';

/** Maximum time in ms that a draft waits until the index includes all issues. */
const COMPLETE_WITHIN_MS = 10_000;

export interface IssueEditParts {
  issues: Issues;
  trackers: Trackers;
  ledger: Ledger;
  analyst: BuiltInAnalyst;
}

/**
 * Composes edits of single issues by agents and flows, and the search for duplicates of a draft.
 */
export function composeIssueEdits(
  { db, engine, now }: Foundation,
  { issues, trackers, ledger, analyst }: IssueEditParts,
) {
  const anywhere = { projectIds: null, state: null, issueIds: null };
  const originals = new LikelyOriginals({
    db,
    analyst,
    nearest: async (accountId, text, limit) => {
      const found = await engine.call('search', {
        accountId,
        text,
        filter: anywhere,
        limit,
        floor: SIMILARITY.stored,
        completeWithinMs: COMPLETE_WITHIN_MS,
        likelihood: { atMs: now().getTime(), calibration: await calibrationOf(db, accountId) },
      });
      return found?.results ?? null;
    },
    compare: (accountId, text, others) => engine.call('compare', { accountId, text, others }),
    explain: (accountId, first, second) => engine.call('explain', { accountId, first, second }),
  });
  const edits = new IssueEdits({ db, issues, trackers, ledger, originals });
  ledger.handleKind('mcp', edits);
  ledger.handleKind('flow', edits);
  return { edits };
}
