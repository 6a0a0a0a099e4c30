import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCopy, IconExternalLink } from '@tabler/icons-react';
import type { CriterionResult } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { useMemo, useState } from 'react';
import { safeHref } from '../../../api/safe-href.ts';
import type { ListWalk } from '../../../ui/data-list/use-list-walk.ts';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { copyKey } from '../copy-key.ts';
import { ImproveButton } from '../improve-button.tsx';
import { useIssue } from '../queries.ts';
import { improveRefusal, type ShownScore } from '../shown-score.ts';
import { AboutIssue } from './about-issue.tsx';
import { Criteria } from './criteria.tsx';
import { activeCriterion, evidencePassages } from './evidence.ts';
import { History } from './history.tsx';
import { IssueText } from './issue-text.tsx';
import classes from './panel.module.css';
import { ScoreSection } from './score-section.tsx';

const SKELETON_LINE_WIDTHS = ['92%', '78%', '88%', '64%', '84%', '40%'];
const NO_CRITERIA: readonly CriterionResult[] = [];

function PanelSkeleton() {
  return (
    <Loading label="Loading the issue">
      <div className={classes.section}>
        <TextSkeleton width="36%" height={14} />
        <TextSkeleton width="84%" height={18} />
      </div>
      <div className={classes.section}>
        {SKELETON_LINE_WIDTHS.map((width) => (
          <TextSkeleton key={width} width={width} />
        ))}
      </div>
    </Loading>
  );
}

function Details({ issue, score, metric }: { issue: Issue; score: ShownScore; metric: string }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [lookedAtId, setLookedAtId] = useState<string | null>(null);
  const criteria = score === null || score === 'failed' ? NO_CRITERIA : score.criteria;
  const activeId = activeCriterion(criteria, [lookedAtId, openId]);
  const [all, marked, inTitle] = useMemo(
    () => [
      evidencePassages(criteria, issue, 'description', null),
      evidencePassages(criteria, issue, 'description', activeId),
      evidencePassages(criteria, issue, 'title', activeId),
    ],
    [criteria, issue, activeId],
  );
  return (
    <>
      <AboutIssue issue={issue} passages={inTitle} />
      <section className={classes.section} aria-label="Score">
        <ScoreSection score={score} metric={metric} />
      </section>
      {criteria.length === 0 ? null : (
        <section className={classes.section} aria-label="Criteria of the score">
          <Criteria criteria={criteria} openId={openId} onOpen={setOpenId} onLook={setLookedAtId} />
        </section>
      )}
      <section className={classes.section} aria-label="Description">
        <div className={classes.legend}>
          <h4 className={classes.heading}>Description</h4>
          {all.length === 0 ? null : (
            <>
              <mark className={classes.sample}>Highlighted:</mark>
              <span>
                {activeId === null ? 'what the scores are based on' : 'what this criterion is based on'}
              </span>
            </>
          )}
        </div>
        <IssueText
          text={issue.description}
          all={all}
          marked={marked}
          numbered={activeId !== null}
          openId={openId}
        />
      </section>
      {score === null || score === 'failed' ? null : <History result={score} />}
    </>
  );
}

function Footer({ issue, score, onImprove }: { issue: Issue; score: ShownScore; onImprove: () => void }) {
  const address = safeHref(issue.url);
  return (
    <>
      <ImproveButton
        variant="filled"
        rightSection={<KeyCap>i</KeyCap>}
        refusal={improveRefusal(score)}
        onClick={onImprove}
      >
        Improve
      </ImproveButton>
      {address === null ? null : (
        <Button
          component="a"
          href={address}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} stroke={1.75} aria-hidden />}
        >
          Open in the tracker
        </Button>
      )}
      <Tooltip label="Copy key">
        <ActionIcon aria-label="Copy key" size={32} onClick={() => void copyKey(issue.key)}>
          <IconCopy size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

export type IssuePanelProps = {
  issueId: string;
  /** The issue as loaded with the list; undefined if it is not on the current page. */
  listed: Issue | undefined;
  score: ShownScore;
  /** Name of the prompt that scores the issue. */
  metric: string;
  walk: ListWalk;
  onClose: () => void;
  onImprove: (issue: Issue) => void;
};

/** Side panel with the text of an issue, its score, and the reasons for the score. */
export function IssuePanel({ issueId, listed, score, metric, walk, onClose, onImprove }: IssuePanelProps) {
  const { data: issue, error, refetch, isFetching } = useIssue(issueId, listed);
  return (
    <SidePanel
      title="Issue Details"
      itemName="issue"
      {...(walk.position === undefined ? {} : { position: walk.position })}
      onPrevious={walk.previous}
      onNext={walk.next}
      onClose={onClose}
      footer={issue && <Footer issue={issue} score={score} onImprove={() => onImprove(issue)} />}
    >
      <div className={classes.panel} key={issueId}>
        {issue === undefined && error === null ? <PanelSkeleton /> : null}
        {issue === undefined && error !== null ? (
          <div className={classes.section}>
            <ErrorState
              error={error}
              title="This issue could not be shown"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </div>
        ) : null}
        {issue === undefined ? null : <Details issue={issue} score={score} metric={metric} />}
      </div>
    </SidePanel>
  );
}
