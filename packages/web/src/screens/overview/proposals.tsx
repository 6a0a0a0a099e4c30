import { IconHourglass } from '@tabler/icons-react';
import { Link } from 'react-router';
import { changesOfStatus } from '../../features/changes/change-search.ts';
import { useProposalsCount } from '../../features/decisions/queries.ts';
import { Badge } from '../../theme/parts/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { countText } from './numbers.ts';
import classes from './proposals.module.css';

/** States how many changes wait for approval. Renders nothing if no change waits. */
export function Proposals() {
  const { data: count = 0 } = useProposalsCount();
  if (count === 0) return null;
  return (
    <Card
      title="Waiting for approval"
      beside={
        <Badge icon={IconHourglass} small>
          {countText(count)}
        </Badge>
      }
      actions={
        <Link className={`link ${classes.review}`} to={changesOfStatus('proposed')}>
          Review
        </Link>
      }
      inset
    >
      <p className={classes.text}>
        {count === 1
          ? 'A proposed change is written to its tracker once it is approved.'
          : 'Proposed changes are written to their trackers once they are approved.'}
      </p>
    </Card>
  );
}
