import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { IconStar, IconStarFilled, IconX } from '@tabler/icons-react';
import { type ClusterDetail, FACT_KINDS } from '@winnow/contract/cluster';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { issuesText, searchInClusterAddress } from '../../../features/clusters/cluster-texts.ts';
import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { IssueKey } from '../../../features/issues/issue-key.tsx';
import { IssueMeta } from '../../../features/issues/issue-meta.tsx';
import { TrackerLink } from '../../../features/issues/tracker-link.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import { useShownPart } from '../../../ui/use-shown-part.tsx';
import type { Act } from '../use-cluster-actions.tsx';
import type { MemberWalk } from '../use-member-walk.ts';
import classes from './details.module.css';

type Member = ClusterDetail['members'][number];

/** Names the kinds of facts that an issue adds to the canonical issue, such as `version, log`. */
function kindsText({ adds }: Member): string {
  return [...new Set(adds.map(({ kind }) => FACT_KINDS[kind].label.toLowerCase()))].join(', ');
}

function Facts({ member }: { member: Member }) {
  const quotes = new Map(member.adds.map((fact) => [`${fact.field} ${fact.start} ${fact.kind}`, fact]));
  return (
    <ul className={classes.facts} aria-label={`Facts that only ${member.issue.key} has`}>
      {[...quotes].map(([id, { kind, quote }]) => (
        <li key={id}>
          <span className={classes.factKind}>{FACT_KINDS[kind].label}</span>
          <q className={classes.quote} dir="auto">
            {quote}
          </q>
        </li>
      ))}
    </ul>
  );
}

type MemberItemProps = {
  cluster: ClusterDetail;
  member: Member;
  walk: MemberWalk;
  onAct: Act;
};

function MemberItem({ cluster, member, walk, onAct }: MemberItemProps) {
  const { issue, is_canonical: isCanonical, not_canonical: obstacle, adds } = member;
  const item = useRef<HTMLLIElement>(null);
  const current = walk.currentId === issue.id;
  useEffect(() => {
    if (current) item.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <li className={classes.member} ref={item} aria-current={current || undefined}>
      <div className={classes.memberHead}>
        <StatusIcon status={issue.status} />
        <IssueKey>{issue.key}</IssueKey>
        <TrackerMark projectId={issue.project_id} />
        {isCanonical ? (
          <Badge small tone="accent" icon={IconStarFilled}>
            Canonical
          </Badge>
        ) : null}
        <span className={classes.memberActions}>
          <TrackerLink issue={issue} />
          {isCanonical ? null : (
            <Tooltip label={obstacle ?? 'Make it the canonical issue'}>
              <ActionIcon
                size={24}
                aria-label={`Make ${issue.key} the canonical issue`}
                onClick={() => onAct(cluster, { kind: 'canonical', issue })}
              >
                <IconStar size={14} stroke={1.75} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label="Exclude from the cluster">
            <ActionIcon
              size={24}
              aria-label={`Exclude ${issue.key}`}
              onClick={() => onAct(cluster, { kind: 'exclude', issue })}
            >
              <IconX size={14} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
      <p className={classes.memberTitle} dir="auto">
        {issue.title}
      </p>
      <p className={classes.meta}>
        <IssueMeta issue={issue} />
      </p>
      {adds.length === 0 ? null : (
        <UnstyledButton className={classes.adds} aria-expanded={current} onClick={() => walk.go(issue.id)}>
          {`Adds ${kindsText(member)}`}
        </UnstyledButton>
      )}
      {current && adds.length > 0 ? <Facts member={member} /> : null}
      {current && obstacle !== null ? <p className={classes.meta}>{obstacle}</p> : null}
    </li>
  );
}

export type MembersProps = { cluster: ClusterDetail; walk: MemberWalk; onAct: Act };

/** Lists the issues of a cluster, with the facts that each adds to the canonical issue. */
export function Members({ cluster, walk, onAct }: MembersProps) {
  const { members } = cluster;
  const at = members.findIndex(({ issue }) => issue.id === walk.currentId);
  const current = members[at];
  const { shown, more } = useShownPart(members, at + 1);
  return (
    <section className={classes.section} aria-labelledby="cluster-issues">
      <div className={classes.sectionHead}>
        <h3 className={classes.heading} id="cluster-issues">
          {issuesText(members.length)}
        </h3>
        <Link className="link" to={searchInClusterAddress(cluster.id)}>
          Search in this cluster
        </Link>
      </div>
      <p className="vh" role="status">
        {current === undefined
          ? ''
          : `${at + 1} of ${members.length}: ${current.issue.key} ${current.issue.title}`}
      </p>
      <ol className={classes.members}>
        {shown.map((member) => (
          <MemberItem cluster={cluster} member={member} walk={walk} onAct={onAct} key={member.issue.id} />
        ))}
      </ol>
      {more === null ? null : <div className={classes.more}>{more}</div>}
    </section>
  );
}
