import { IconChevronRight, IconEqual } from '@tabler/icons-react';
import { isIdentical, type Pair } from '@winnow/contract/duplicate';
import type { IssueSummary } from '@winnow/contract/issue';
import { Link } from 'react-router';
import { StatusIcon } from '../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../features/issues/tracker-mark.tsx';
import { probabilityText } from '../../features/pairs/pair-texts.ts';
import type { ShownVerdict } from '../../features/verdicts/queries.ts';
import { VerdictBadge } from '../../features/verdicts/verdict-badge.tsx';
import { Badge } from '../../theme/parts/badge.tsx';
import { Meter } from '../../theme/parts/meter.tsx';
import { TextSkeleton } from '../../ui/states/skeletons.tsx';
import classes from './suggestions.module.css';

/** Maximum characters of an issue key. A longer key is displayed without the owner. */
const MAX_KEY_CHARS = 20;
/** Maximum characters of a project name. A longer name is shortened in the middle. */
const MAX_PROJECT_CHARS = 13;

function Issue({ issue }: { issue: IssueSummary }) {
  return (
    <span className={classes.issue}>
      <StatusIcon status={issue.status} />
      <span className={classes.key}>
        <IssueKey withOwner={issue.key.length <= MAX_KEY_CHARS} longestProject={MAX_PROJECT_CHARS}>
          {issue.key}
        </IssueKey>
      </span>
      <TrackerMark projectId={issue.project_id} />
      <span className="trunc">{issue.title}</span>
    </span>
  );
}

/** Row that shows a pair of similar issues. The whole row is a link to the pair. */
export function SuggestionRow({ pair, verdict }: { pair: Pair; verdict: ShownVerdict }) {
  return (
    <li className={classes.item}>
      <Link className={classes.row ?? ''} to={`/console/issues?selectedPair=${pair.id}`}>
        <span className={classes.percent}>
          <b>{probabilityText(pair.probability)}</b>
          <Meter value={pair.probability} thin />
        </span>
        <span className={classes.issues}>
          <Issue issue={pair.issue1} />
          <Issue issue={pair.issue2} />
        </span>
        <span className={classes.verdict}>
          {isIdentical(pair.similarity) ? (
            <Badge tone="warning" icon={IconEqual}>
              Identical
            </Badge>
          ) : (
            <VerdictBadge verdict={verdict} namesModel />
          )}
          {verdict === 'failed' ? <span className={classes.unknown}>Failed to load</span> : null}
        </span>
        <IconChevronRight size={16} stroke={1.75} aria-hidden className={classes.chevron} />
      </Link>
    </li>
  );
}

/** Placeholder of a row while the pairs are loading. */
export function SuggestionSkeleton() {
  return (
    <div className={classes.item}>
      <div className={classes.row}>
        <TextSkeleton width={56} height={20} />
        <span className={classes.issues}>
          <span className={classes.line}>
            <TextSkeleton width="58%" />
          </span>
          <span className={classes.line}>
            <TextSkeleton width="64%" />
          </span>
        </span>
      </div>
    </div>
  );
}
