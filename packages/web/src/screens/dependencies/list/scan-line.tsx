import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import frame from '../../../ui/data-list/list-frame.module.css';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { WorkLine } from '../../../ui/states/work-line.tsx';
import type { DependencyActions } from '../badges/dependency-details.tsx';
import { committableDependencies } from '../dependency-state.ts';
import { commitCountText, issuesText } from '../dependency-texts.ts';
import type { Scan } from '../use-scan.ts';
import classes from './issue-list.module.css';

/** Errors of the scan, displayed above the list. */
function Failures({ scan }: { scan: Scan }) {
  return (
    <>
      {scan.error === null ? null : (
        <div className={frame.failed}>
          <ErrorState
            error={scan.error}
            title="These issues could not be scanned"
            onRetry={scan.retry}
            retrying={scan.scanningAgain}
          />
        </div>
      )}
      {scan.expandError === null ? null : (
        <div className={frame.failed}>
          <ErrorState
            error={scan.expandError}
            title="Failed to expand scan for issue."
            onRetry={scan.retryExpand}
            retrying={scan.expanding !== null}
          />
        </div>
      )}
    </>
  );
}

/** Id of the heading above the issues that Expand Scan added. */
export const ADDED_ID = 'added-by-expand-scan';

function showAdded(): void {
  const heading = document.getElementById(ADDED_ID);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

function statusText({ expanding, checking, summary }: Scan): string | null {
  if (expanding !== null) return 'Scanning more issues';
  return checking ? `${summary}. More may follow: a tracker or language model is still responding` : summary;
}

export type ScanLineProps = { scan: Scan } & Pick<DependencyActions, 'onCommit' | 'heldBack'>;

/** Result of the scan, with buttons to scan again and to commit all dependencies. */
export function ScanLine({ scan, onCommit, heldBack }: ScanLineProps) {
  const uncommitted = committableDependencies(scan.dependencies);
  if (scan.pending)
    return (
      <WorkLine
        label="Scanning for dependencies"
        count={scan.size === 0 ? '' : issuesText(scan.size)}
        share={null}
      />
    );
  return (
    <>
      <div className={classes.scan}>
        <span role="status" className={classes.said}>
          {statusText(scan)}
        </span>
        {scan.further.length === 0 ? null : (
          <Button size="xs" variant="subtle" onClick={showAdded}>
            Show added issues
          </Button>
        )}
        <Button
          size="xs"
          leftSection={<IconRefresh size={14} stroke={1.75} aria-hidden />}
          loading={scan.scanningAgain}
          onClick={scan.again}
        >
          Scan again
        </Button>
        <Button
          size="xs"
          variant="filled"
          aria-haspopup="dialog"
          disabled={uncommitted.length === 0}
          onClick={() => onCommit(uncommitted, 'page')}
        >
          {`Commit All (${commitCountText(uncommitted, heldBack)})`}
        </Button>
      </div>
      {scan.notice === null ? null : <p className={classes.notice}>{scan.notice}</p>}
      <Failures scan={scan} />
    </>
  );
}
