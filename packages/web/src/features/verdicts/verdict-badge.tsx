import {
  IconArrowsSplit2,
  IconCopy,
  IconHelpCircle,
  IconLayersIntersect,
  IconLoader,
} from '@tabler/icons-react';
import {
  insteadOfText,
  VERDICT_DECISIONS,
  VERDICT_RELATIONS,
  type VerdictDecision,
} from '@winnow/contract/verdict';
import { Badge } from '../../theme/parts/badge.tsx';
import type { ShownVerdict } from './queries.ts';
import classes from './verdict-badge.module.css';

const BADGE_LOOKS = {
  checking: { tone: 'neutral', icon: IconLoader, dashed: true },
  duplicate: { tone: 'warning', icon: IconCopy },
  overlapping: { tone: 'info', icon: IconLayersIntersect },
  unrelated: { tone: 'neutral', icon: IconArrowsSplit2 },
  undecided: { tone: 'neutral', icon: IconHelpCircle, dashed: true },
} as const satisfies Record<VerdictDecision, object>;

/**
 * Returns who made a verdict, and which model was replaced, if any. Undefined if no verdict is
 * available.
 */
function authorText(verdict: ShownVerdict): string | undefined {
  if (verdict === null || verdict === 'failed' || verdict.decision === 'checking') return undefined;
  return insteadOfText(verdict.instead_of) ?? `Judged by: ${verdict.ai_model_name}`;
}

/**
 * True if the issues overlap and are probably the same. The badge then shows this instead of the
 * decision.
 */
function isLikelySame(verdict: ShownVerdict): boolean {
  return verdict !== null && verdict !== 'failed' && verdict.relation === 'likely_same';
}

/**
 * Badge of the verdict on a pair. Outdated verdicts are marked. A verdict that failed to load is
 * displayed as undecided. If `namesModel` is true, the name of the language model is displayed
 * below the badge.
 */
export function VerdictBadge({
  verdict,
  namesModel = false,
}: {
  verdict: ShownVerdict;
  namesModel?: boolean;
}) {
  const decision = verdict === null ? 'checking' : verdict === 'failed' ? 'undecided' : verdict.decision;
  const { label } = VERDICT_DECISIONS[decision];
  const shown = isLikelySame(verdict) ? VERDICT_RELATIONS.likely_same.label : label;
  const isStale = verdict !== null && verdict !== 'failed' && verdict.stale;
  const model = verdict === null || verdict === 'failed' || verdict.ai_model_id === null ? null : verdict;
  return (
    <span className={classes.authored} title={authorText(verdict)}>
      <Badge {...BADGE_LOOKS[decision]} {...(isStale ? { dashed: true } : {})}>
        {isStale ? `${shown} before` : shown}
      </Badge>
      {namesModel && model !== null ? <span className={classes.model}>{model.ai_model_name}</span> : null}
    </span>
  );
}
