import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ClusterDetail, CONSTRAINT_SOURCES } from '@winnow/contract/cluster';
import { useState } from 'react';
import { Link } from 'react-router';
import { shortIssueKey } from '../../../features/issues/issue-key-parts.ts';
import { LikelihoodReasons } from '../../../features/pairs/likelihood-reasons.tsx';
import { probabilityText, similarityText } from '../../../features/pairs/pair-texts.ts';
import { pairOptions } from '../../../features/pairs/queries.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Meter } from '../../../theme/parts/meter.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import classes from './details.module.css';

type Edge = ClusterDetail['edges'][number];

/** Number of links listed until the user clicks the button that shows more. */
const LINKS_LISTED = 6;
const MAX_PROJECT_CHARS = 14;

/** Returns a key that identifies a link within its cluster. */
export function edgeKey({ issue1_id, issue2_id }: Edge): string {
  return `${issue1_id} ${issue2_id}`;
}

function Evidence({ pairId }: { pairId: string }) {
  const { data: pair, error, refetch, isFetching } = useQuery(pairOptions(pairId));
  if (pair === undefined) {
    if (error !== null) {
      return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
    }
    return (
      <Loading label="Loading the evidence">
        <TextSkeleton width="80%" />
      </Loading>
    );
  }
  return (
    <>
      <LikelihoodReasons pair={pair} />
      <p className={classes.meta}>
        {`Similarity ${similarityText(pair.similarity)}, ${countText(pair.evidence.shared.length)} shared ${pair.evidence.shared.length === 1 ? 'passage' : 'passages'}. `}
        <Link className="link" to={`/console/issues?selectedPair=${pairId}`}>
          Compare both texts
        </Link>
      </p>
    </>
  );
}

type LinkItemProps = { edge: Edge; keys: ReadonlyMap<string, string>; weakest: boolean };

function LinkItem({ edge, keys, weakest }: LinkItemProps) {
  const [open, setOpen] = useState(false);
  const { constraint, pair_id: pairId, probability } = edge;
  const [one, other] = [edge.issue1_id, edge.issue2_id].map((id) =>
    shortIssueKey(keys.get(id) ?? '', MAX_PROJECT_CHARS),
  );
  return (
    <li>
      <UnstyledButton className={classes.linkHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        <IconChevronRight className={classes.chevron} size={14} stroke={1.75} aria-hidden />
        <span className={classes.linkKeys}>
          {one} – {other}
        </span>
        {weakest ? (
          <Badge small tone="warning">
            Weakest link
          </Badge>
        ) : null}
        {constraint === null ? null : (
          <Badge small tone="info" icon={IconLink}>
            {CONSTRAINT_SOURCES[constraint.source].label}
          </Badge>
        )}
        <span className={classes.linkMeter}>
          <Meter value={probability} thin tone={weakest ? 'warning' : 'accent'} />
        </span>
        <span className={classes.linkNumber}>
          {constraint === null ? probabilityText(probability) : 'Fixed'}
        </span>
      </UnstyledButton>
      {open ? (
        <div className={classes.evidence}>
          {constraint === null ? null : <p dir="auto">{constraint.reason}</p>}
          {pairId === null ? null : <Evidence pairId={pairId} />}
        </div>
      ) : null}
    </li>
  );
}

/**
 * Lists the links between the issues of a cluster: the weakest link first, then from the strongest.
 */
export function Links({ cluster }: { cluster: ClusterDetail }) {
  const [whole, setWhole] = useState(false);
  const { edges, edges_total: total, members, weakest } = cluster;
  const omitted = total - edges.length;
  const keys = new Map(members.map(({ issue }) => [issue.id, issue.key]));
  const weakestKey = weakest === null ? null : edgeKey(weakest);
  const isWeakest = (edge: Edge) => edgeKey(edge) === weakestKey;
  const ordered = [...edges.filter(isWeakest), ...edges.filter((edge) => !isWeakest(edge))];
  const shown = whole ? ordered : ordered.slice(0, LINKS_LISTED);
  return (
    <section className={classes.section} aria-labelledby="cluster-links">
      <h3 className={classes.heading} id="cluster-links">
        {total === 1 ? '1 link' : `${countText(total)} links`}
      </h3>
      <ul className={classes.links}>
        {shown.map((edge) => (
          <LinkItem edge={edge} keys={keys} weakest={isWeakest(edge)} key={edgeKey(edge)} />
        ))}
      </ul>
      {ordered.length > shown.length ? (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          {omitted === 0
            ? `Show all ${countText(total)} links`
            : `Show ${countText(ordered.length)} of ${countText(total)} links`}
        </Button>
      ) : null}
      {omitted === 0 ? null : (
        <p className={classes.meta}>
          {`${countText(omitted)} links are not shown. Those shown connect all issues and include the most probable ones.`}
        </p>
      )}
    </section>
  );
}
