import { Alert } from '@mantine/core';
import type { Pair } from '@winnow/contract/duplicate';
import { Link } from 'react-router';
import { changeAddress } from '../../features/changes/change-search.ts';
import { requesterText, titleOf } from '../../features/changes/change-texts.ts';
import { useProposals } from './queries.ts';

/**
 * Notice that a resolution of the pair is proposed, with a link to approve it. Renders nothing
 * without a proposal.
 */
export function ProposalNote({ pair, className }: { pair: Pair; className?: string | undefined }) {
  const proposal = useProposals()(pair);
  if (proposal === undefined || pair.resolution !== null) return null;
  return (
    <div className={className}>
      <Alert title={`Proposed by ${requesterText(proposal)}`} color="info" role="note">
        <p dir="auto">{titleOf(proposal)}. Nothing is written before it is approved.</p>
        <Link className="link" to={changeAddress(proposal.id)}>
          Review the proposal
        </Link>
      </Alert>
    </div>
  );
}
