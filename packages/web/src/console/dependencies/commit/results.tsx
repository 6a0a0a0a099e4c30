import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import type { CommitResult, Dependency } from '@winnow/contract/dependency';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import { Meter } from '../../../ui/meter.tsx';
import { changeAddress } from '../../changes/search-params.ts';
import frame from '../../issues/write-dialog/item-dialog.module.css';
import { changeOptions } from '../../similarity/queries.ts';
import { announceCommitted } from '../announce.ts';
import { refreshDependencies } from '../queries.ts';
import { dependencyKey } from '../standing.ts';
import { sentenceOf } from '../words.ts';
import classes from './commit.module.css';
import { countFates, type Fate, fatesOf, fatesText } from './fates.ts';

/** Where the changes that commit dependencies are listed. */
export const COMMITTED_CHANGES = '/console/changes?kind=dependency';

const SCROLLED_BY_KEYS = { tabIndex: 0 };
const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const LOOKS: Record<Fate['state'], { label: string; icon: ReactNode }> = {
  done: { label: 'Done', icon: <IconCircleCheck {...ICON} color="var(--success-fg)" /> },
  failed: { label: 'Failed', icon: <IconAlertTriangle {...ICON} color="var(--danger-fg)" /> },
  pending: { label: 'Writing', icon: <Loader size={14} aria-hidden /> },
};

function changeOf(fate: Fate): string | null {
  if (fate.state === 'done') return fate.committed.change_id;
  return fate.state === 'pending' ? fate.changeId : null;
}

function Outcome({ dependency, fate }: { dependency: Dependency; fate: Fate }) {
  const { label, icon } = LOOKS[fate.state];
  const changeId = changeOf(fate);
  return (
    <li className={frame.item}>
      <div className={classes.itemHead}>
        <span className={classes.sentence}>{sentenceOf(dependency)}</span>
        <span className={frame.fate}>
          {icon}
          {label}
        </span>
      </div>
      {fate.state === 'failed' ? <p className={frame.refusal}>{fate.detail}</p> : null}
      {changeId === null ? null : (
        <Link className={`link ${classes.change}`} to={changeAddress(changeId)}>
          Show the change<span className="vh"> that says that {sentenceOf(dependency)}</span>
        </Link>
      )}
    </li>
  );
}

export type ResultsProps = {
  asked: readonly Dependency[];
  result: CommitResult;
  onClose: () => void;
  onTryAgain: (failed: readonly Dependency[]) => void;
};

/** What became of each dependency; those still being written are followed until they are through. */
export function Results({ asked, result, onClose, onTryAgain }: ResultsProps) {
  const changes = useQueries({
    queries: result.pending.map(({ change_id: changeId }) => changeOptions(changeId)),
    combine: (queries) => queries.flatMap(({ data }) => (data === undefined ? [] : [data])),
  });
  const fates = fatesOf(asked, result, new Map(changes.map((change) => [change.id, change])));
  const { done, failed, pending } = countFates(fates);
  const failedOnes = asked.filter((one) => fates.get(dependencyKey(one))?.state === 'failed');
  const onSettled = useEffectEvent(() => {
    const [only] = [...fates.values()];
    refreshDependencies();
    if (asked.length !== 1 || only?.state !== 'done') return;
    announceCommitted(only.committed);
    onClose();
  });
  useEffect(() => {
    if (pending === 0) onSettled();
  }, [pending]);
  return (
    <>
      <section className={frame.body} aria-label="What was written" {...SCROLLED_BY_KEYS}>
        <div role="status">
          <p className={frame.headline}>{fatesText(fates)}</p>
          <Meter value={(done + failed) / asked.length} tone={failed > 0 ? 'warning' : 'accent'} />
        </div>
        <ul className={frame.items} aria-label="Dependencies">
          {asked.map((dependency) => {
            const key = dependencyKey(dependency);
            const fate = fates.get(key);
            return fate === undefined ? null : <Outcome key={key} dependency={dependency} fate={fate} />;
          })}
        </ul>
      </section>
      <div className={frame.footer}>
        <Link className="link" to={COMMITTED_CHANGES}>
          Show in Changes
        </Link>
        <span className={frame.state}>{pending > 0 ? 'It goes on when you close this.' : null}</span>
        {failedOnes.length === 0 || pending > 0 ? null : (
          <Button onClick={() => onTryAgain(failedOnes)}>
            {failedOnes.length === 1 ? 'Try again' : `Try ${failedOnes.length} again`}
          </Button>
        )}
        <Button variant="filled" onClick={onClose} data-autofocus>
          Close
        </Button>
      </div>
    </>
  );
}
