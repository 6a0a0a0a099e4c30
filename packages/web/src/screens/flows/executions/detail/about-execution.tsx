import type { FlowExecution } from '@winnow/contract/flow';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { IssueKey } from '../../../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../../../features/issues/tracker-mark.tsx';
import { pairsOfIssue } from '../../../../features/pairs/pairs-of-issue.ts';
import { Card } from '../../../../ui/card.tsx';
import { countText } from '../../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../../ui/texts/relative-time.tsx';
import { eventText, shortId } from '../../flow-texts.ts';
import { executionAddress } from '../search-params.ts';
import classes from './detail.module.css';

const DETAIL_LABELS: Record<string, string> = { comment: 'Comment', branch: 'Branch', commits: 'Commits' };

/** Facts about an execution: the event that started it, its issue or project, and its agent. */
export function AboutExecution({ execution }: { execution: FlowExecution }) {
  const { trigger_event: event, tokens, iterations, ai_model_name: model, retry_of: before } = execution;
  const facts: [string, ReactNode][] = [
    [
      'Event',
      <>
        {eventText(event.type)}
        {event.actor === null ? '' : ` by ${event.actor}`}, <RelativeTime at={event.occurred_at} />
        {event.coalesced === 0 ? '' : `, with ${countText(event.coalesced)} later events of the same kind`}
      </>,
    ],
  ];
  if (event.issue_key !== null) facts.push(['Issue', <Issue key="issue" event={event} />]);
  else if (event.project !== null) {
    facts.push([
      'Project',
      <span className={classes.issue} key="project">
        {event.project} <TrackerMark projectId={event.project_id} />
      </span>,
    ]);
  }
  for (const [name, text] of Object.entries(event.details)) {
    facts.push([
      DETAIL_LABELS[name] ?? name,
      <span className={classes.detail} dir="auto" key={name}>
        {text}
      </span>,
    ]);
  }
  facts.push([
    'Done by',
    model === null
      ? BUILT_IN_ANALYST
      : `${model}, ${countText(iterations)} ${iterations === 1 ? 'turn' : 'turns'}, ${countText(tokens.input)} tokens in, ${countText(tokens.output)} out`,
  ]);
  if (before !== null) {
    facts.push([
      'Repeats',
      <Link className="link" to={executionAddress(before)} key="repeats">
        Execution {shortId(before)}
      </Link>,
    ]);
  }
  return (
    <Card title="What started it" inset>
      <dl className={classes.about}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Issue({ event }: { event: FlowExecution['trigger_event'] }) {
  if (event.issue_key === null) return null;
  return (
    <span className={classes.issue}>
      <IssueKey withOwner longestProject={32} {...(event.url === null ? {} : { href: event.url })}>
        {event.issue_key}
      </IssueKey>
      <TrackerMark projectId={event.project_id} />
      <Link to={pairsOfIssue(event.issue_key)} className="link" dir="auto">
        {event.issue_title ?? 'Similar issues'}
      </Link>
    </span>
  );
}
