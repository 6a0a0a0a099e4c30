import { Button } from '@mantine/core';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import { DISMISSAL_LABELS } from '../../../features/pairs/pair-texts.ts';
import { needsVerdict } from '../../../features/verdicts/queries.ts';
import { VerdictSection } from '../../../features/verdicts/verdict-section.tsx';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { KeyCap } from '../../../ui/keyboard/key-cap.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { PairBadge } from '../list/pair-badge.tsx';
import { setJudgment } from '../pair-judgment.ts';
import { ProposalNote } from '../proposal-note.tsx';
import { usePair } from '../queries.ts';
import { BothTexts } from './both-texts.tsx';
import { ClusterNote } from './cluster-note.tsx';
import { JudgmentButtons } from './judgment-buttons.tsx';
import { LikelihoodParts } from './likelihood-parts.tsx';
import { Outcome } from './outcome.tsx';
import classes from './panel.module.css';
import { ScoreParts } from './score-parts.tsx';
import { SeriesNote } from './series-note.tsx';
import { Unfinished } from './unfinished.tsx';
import { WouldWrite } from './would-write.tsx';

const SKELETON_LINE_WIDTHS = ['92%', '78%', '88%', '64%', '84%', '40%'];

function PanelSkeleton() {
  const column = SKELETON_LINE_WIDTHS.map((width) => <TextSkeleton key={width} width={width} />);
  return (
    <Loading label="Loading the pair">
      <div className={classes.section}>
        <TextSkeleton width={112} height={36} />
      </div>
      <div className={classes.two}>
        <div className={classes.skeletonColumn}>{column}</div>
        <div className={classes.skeletonColumn}>{column}</div>
      </div>
    </Loading>
  );
}

function Details({ pair }: { pair: PairDetail }) {
  const decided = pair.resolution !== null;
  return (
    <>
      <ProposalNote pair={pair} className={classes.unfinished} />
      {decided ? <Outcome pair={pair} /> : <Unfinished pair={pair} />}
      {pair.series === null ? null : <SeriesNote series={pair.series} className={classes.unfinished} />}
      {decided ? null : (
        <div className={classes.badge}>
          <PairBadge pair={pair} />
        </div>
      )}
      {needsVerdict(pair) ? (
        <section className={classes.section} aria-label="AI Review">
          <VerdictSection pair={pair} />
        </section>
      ) : null}
      <LikelihoodParts pair={pair} />
      <ScoreParts similarity={pair.similarity} evidence={pair.evidence} />
      <BothTexts pair={pair} key={pair.id} />
      <ClusterNote pair={pair} />
      <JudgmentButtons pair={pair} onChoose={(judgment) => void setJudgment(pair, judgment)} />
      {decided ? null : <WouldWrite pair={pair} />}
    </>
  );
}

export type PairPanelProps = {
  pairId: string;
  /**
   * Position in the list, such as `2 of 218`. Undefined if the pair is not on the current page of
   * the list.
   */
  position: string | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  onResolve: (pair: Pair) => void;
  onDismiss: (pair: Pair) => void;
  onRestore: (pair: Pair) => void;
};

/** Panel of a pair: shows similarity, shared passages, and what each decision would write. */
export function PairPanel(props: PairPanelProps) {
  const { pairId, position, onPrevious, onNext, onClose } = props;
  const { data: pair, error, refetch, isFetching } = usePair(pairId);
  const kind = pair === undefined || pair.series === null ? 'pair' : 'series';
  const footer = pair && (
    <>
      <PermissionGate needs="propose">
        <Button
          variant="filled"
          disabled={pair.resolution !== null}
          rightSection={<KeyCap>↵</KeyCap>}
          onClick={() => props.onResolve(pair)}
        >
          Resolve
        </Button>
      </PermissionGate>
      <PermissionGate needs="triage">
        {pair.resolution === null && !pair.dismissed ? (
          <Button rightSection={<KeyCap>e</KeyCap>} onClick={() => props.onDismiss(pair)}>
            {DISMISSAL_LABELS[kind].dismiss}
          </Button>
        ) : null}
        {pair.dismissed ? (
          <Button onClick={() => props.onRestore(pair)}>{DISMISSAL_LABELS[kind].restore}</Button>
        ) : null}
      </PermissionGate>
      <span className={classes.promise}>
        {pair.resolution === null ? 'Nothing is written yet' : 'This pair is resolved'}
      </span>
    </>
  );
  return (
    <SidePanel
      title="Issue Pair Details"
      itemName="pair"
      {...(position === undefined ? {} : { position })}
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
      footer={footer}
    >
      <div className={classes.panel}>
        {pair === undefined && error === null ? <PanelSkeleton /> : null}
        {pair === undefined && error !== null ? (
          <div className={classes.section}>
            <ErrorState
              error={error}
              title="This pair could not be shown"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </div>
        ) : null}
        {pair === undefined ? null : <Details pair={pair} />}
      </div>
    </SidePanel>
  );
}
