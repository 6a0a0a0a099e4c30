import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { CHANGE_STATUSES } from '@winnow/contract/change';
import type { Cluster, ClustersResolved } from '@winnow/contract/cluster';
import { Link } from 'react-router';
import { changeAddress } from '../../../features/changes/change-search.ts';
import { changeOptions } from '../../../features/decisions/queries.ts';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { FOCUSABLE } from '../../../ui/keyboard/focusable.ts';

export type BulkResultsProps = {
  /** Clusters that the user selected. */
  clusters: readonly Cluster[];
  result: ClustersResolved;
  onClose: () => void;
};

/** Shows the progress of each cluster's change, and why some clusters were skipped. */
export function BulkResults({ clusters, result, onClose }: BulkResultsProps) {
  const changes = useQueries({
    queries: result.changes.map(({ change_id }) => changeOptions(change_id)),
    combine: (queries) => queries.map(({ data }) => data),
  });
  const isRunning = changes.some((change) => change === undefined || !CHANGE_STATUSES[change.status].settled);
  const nameOf = (id: string) => clusters.find((cluster) => cluster.id === id)?.name ?? '';
  const leftOut = result.left_out.length === 0 ? '' : ` ${result.left_out.length} left out.`;
  const total = `${result.changes.length} of ${clusters.length} ${clusters.length === 1 ? 'cluster' : 'clusters'}`;
  return (
    <>
      <section className={frame.body} aria-label="Results" {...FOCUSABLE}>
        <p className={frame.headline} role="status">
          {`${isRunning ? `Resolving ${total}` : `Finished ${total}`}.${leftOut}`}
        </p>
        <ul className={frame.items} aria-label="Clusters">
          {result.left_out.map(({ cluster_id: id, detail }) => (
            <li key={id} className={frame.item}>
              <div className={frame.itemHead}>
                <span className={frame.itemName}>{nameOf(id)}</span>
                <span className={frame.fate}>Left out</span>
              </div>
              <p className={frame.refusal}>{detail}</p>
            </li>
          ))}
          {result.changes.map(({ cluster_id: id, change_id: changeId }, at) => (
            <li key={id} className={frame.item}>
              <div className={frame.itemHead}>
                <span className={frame.itemName}>{nameOf(id)}</span>
                <span className={frame.fate}>{CHANGE_STATUSES[changes[at]?.status ?? 'applying'].label}</span>
              </div>
              <span>
                <Link className="link" to={changeAddress(changeId)}>
                  Show the change<span className="vh"> of {nameOf(id)}</span>
                </Link>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <div className={frame.footer}>
        <Link className="link" to="/console/changes?kind=cluster">
          Show in Changes
        </Link>
        <span className={frame.state}>{isRunning ? 'You can close this dialog.' : null}</span>
        <Button variant="filled" onClick={onClose} data-autofocus>
          Close
        </Button>
      </div>
    </>
  );
}
