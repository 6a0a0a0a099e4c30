import type { ExecutionLog, FlowExecution } from '@winnow/contract/flow';
import type { ReactNode } from 'react';
import { countText } from '../../../../ui/texts/count-text.ts';
import { RelativeTime } from '../../../../ui/texts/relative-time.tsx';
import { durationText, exactTimeText } from '../../../../ui/texts/relative-time-text.ts';
import { ExecutionStatusBadge } from '../../execution-status.tsx';
import { dollarsText, knownCost } from '../../flow-texts.ts';
import classes from './detail.module.css';

export type ExecutionFactsProps = { execution: FlowExecution; log: readonly ExecutionLog[] };

/** Cards with the status, start time, tool calls and cost of an execution. */
export function ExecutionFacts({ execution, log }: ExecutionFactsProps) {
  const { status, start_time: startedAt, tokens, tool_calls_count: counted } = execution;
  const cost = knownCost(execution, log);
  const toolCalls = Math.max(counted, log.filter(({ type }) => type === 'tool_call').length);
  const facts: [string, ReactNode][] = [
    ['Status', <ExecutionStatusBadge key="status" status={status} />],
    [
      'Started',
      startedAt === null ? 'Not yet' : <Started key="started" at={startedAt} endedAt={execution.end_time} />,
    ],
    ['Tool Calls', countText(toolCalls)],
    [
      'Budget Used',
      cost === null ? <UnknownCost key="cost" tokens={tokens.input + tokens.output} /> : dollarsText(cost),
    ],
  ];
  return (
    <dl className={classes.facts} aria-live="off">
      {facts.map(([label, value]) => (
        <div className={classes.fact} key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Start time with seconds. After the execution ended, also the duration. */
function Started({ at, endedAt }: { at: string; endedAt: string | null }) {
  const startMs = Date.parse(at);
  return (
    <>
      <RelativeTime at={at} />
      <span className={classes.factNote}>{exactTimeText(startMs)}</span>
      {endedAt === null ? null : (
        <span className={classes.factNote}>{`Took ${durationText(Date.parse(endedAt) - startMs)}`}</span>
      )}
    </>
  );
}

/** Number of tokens, displayed instead of the cost if the price of the model is unknown. */
function UnknownCost({ tokens }: { tokens: number }) {
  return (
    <>
      Unknown
      {tokens === 0 ? null : <span className={classes.factNote}>{countText(tokens)} tokens</span>}
    </>
  );
}
