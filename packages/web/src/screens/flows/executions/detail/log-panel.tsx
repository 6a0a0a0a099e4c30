import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import type { ExecutionLog, FlowExecution } from '@winnow/contract/flow';
import { memo } from 'react';
import { Link } from 'react-router';
import { changeAddress } from '../../../../features/changes/change-search.ts';
import { Badge } from '../../../../theme/parts/badge.tsx';
import { Card } from '../../../../ui/card.tsx';
import { FOCUSABLE } from '../../../../ui/keyboard/focusable.ts';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../../ui/states/skeletons.tsx';
import { hasEnded } from '../queries.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './log-panel.module.css';
import { LOG_LABELS, type LogView, logView } from './log-view.ts';
import type { LogLine, useExecutionLog } from './use-log.ts';
import { useTail } from './use-tail.ts';

const LOG_TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

export type LogPanelProps = { execution: FlowExecution; log: ReturnType<typeof useExecutionLog> };

/** Panel with the log of an execution. Live events update it. */
export function LogPanel({ execution, log }: LogPanelProps) {
  const entries = log.data ?? [];
  const ended = hasEnded(execution);
  const tail = useTail(entries.length, !ended);
  return (
    <Card
      title="Logs"
      beside={ended ? null : <LineBadge line={log.line} />}
      actions={
        entries.length === 0 ? null : (
          <CopyButton
            label="Copy the log"
            text={() => entries.map((entry) => JSON.stringify(entry)).join('\n')}
          />
        )
      }
    >
      {log.error === null ? null : (
        <div className={classes.failed}>
          <ErrorState
            error={log.error}
            title={entries.length === 0 ? 'The log could not be loaded' : 'The log could not be updated'}
            onRetry={() => void log.refetch()}
            retrying={log.isFetching}
          />
        </div>
      )}
      {log.isPending ? (
        <Loading label="Loading the log">
          <RowsSkeleton rows={5} rowHeight={36} lines={1} />
        </Loading>
      ) : entries.length === 0 ? (
        <p className={classes.empty}>{ended ? 'No entries.' : 'Waiting for the first entry.'}</p>
      ) : (
        <div className={classes.frame}>
          <div
            className={classes.scroll}
            ref={tail.ref}
            onScroll={tail.onScroll}
            {...FOCUSABLE}
            role="log"
            aria-label="Log entries"
          >
            <ol className={classes.list}>
              {entries.map((entry) => (
                <Entry key={entry.seq} entry={entry} />
              ))}
            </ol>
          </div>
          {ended || tail.following ? null : (
            <Button
              className={classes.follow ?? ''}
              size="xs"
              leftSection={<IconArrowDown size={14} stroke={1.75} aria-hidden />}
              onClick={tail.follow}
            >
              Follow
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}

/** Badge with the state of the live connection. */
function LineBadge({ line }: { line: LogLine }) {
  if (line === null) return null;
  return (
    <Badge small tone={line === 'up' ? 'accent' : 'warning'}>
      {line === 'up' ? 'Live' : 'Reconnecting…'}
    </Badge>
  );
}

const Entry = memo(function Entry({ entry }: { entry: ExecutionLog }) {
  const view = logView(entry);
  return (
    <li className={classes.entry}>
      <time className={classes.time} dateTime={entry.timestamp}>
        {LOG_TIME_FORMAT.format(Date.parse(entry.timestamp))}
      </time>
      <span>
        <Badge small tone={view.tone}>
          {LOG_LABELS[entry.type]}
        </Badge>
      </span>
      <div className={classes.what}>
        {view.text === null ? null : (
          <p className={classes.text} dir="auto" data-tone={view.tone}>
            {view.text}
          </p>
        )}
        {view.parts.length === 0 ? <Line view={view} /> : <Parts view={view} />}
        {view.changeId === null ? null : (
          <Link className="link" to={changeAddress(view.changeId)}>
            Open the change
          </Link>
        )}
      </div>
    </li>
  );
});

function Line({ view: { line, isName } }: { view: LogView }) {
  if (line === '') return null;
  return isName ? <code className={classes.name}>{line}</code> : <span>{line}</span>;
}

/**
 * Log entry in one line, with a preview of its first detail. Expanding the line shows all details.
 */
function Parts({ view }: { view: LogView }) {
  const [first] = view.parts;
  return (
    <details className={classes.parts}>
      <summary className={classes.summary}>
        <Line view={view} />
        <code className={classes.glimpse}>{first?.content.replace(/\s+/g, ' ').slice(0, 160)}</code>
      </summary>
      {view.parts.map(({ label, content }) => (
        <div key={label}>
          <div className={classes.partHead}>
            <span>{label}</span>
            <CopyButton label={`Copy: ${label}`} text={() => content} />
          </div>
          <pre className={classes.code} {...FOCUSABLE}>
            {content}
          </pre>
        </div>
      ))}
    </details>
  );
}
