import { Alert, Button } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { DependencyGraph } from '@winnow/contract/dependency';
import { Link } from 'react-router';
import { Card } from '../../../ui/card.tsx';
import frame from '../../../ui/data-list/list-frame.module.css';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import type { DependencyActions } from '../badges/dependency-details.tsx';
import { committableDependencies } from '../dependency-state.ts';
import { commitCountText, cycleText, dependenciesText, issuesText, knownText } from '../dependency-texts.ts';
import classes from './graph.module.css';
import { GraphCanvas, type GraphCanvasProps } from './graph-canvas.tsx';
import { GraphTable } from './graph-table.tsx';
import { Legend } from './legend.tsx';
import { type DrawnGraph, labelsIn, partText } from './model.ts';

/** Maximum number of cycles that are described in sentences. */
const MAX_DESCRIBED_CYCLES = 5;
/** Maximum number of issues that are named for the longest chain. The drawing shows all of them. */
const MAX_NAMED_CHAIN_ISSUES = 12;

function Cycles({ graph }: { graph: DependencyGraph }) {
  const keys = new Map(graph.issues.map(({ id, key }) => [id, key]));
  const edges = new Set(graph.dependencies.map((one) => `${one.source_issue_id}>${one.dependent_issue_id}`));
  const { cycles } = graph;
  if (cycles.length === 0) return null;
  return (
    <Alert
      color="danger"
      title={cycles.length === 1 ? '1 cycle' : `${cycles.length} cycles`}
      className={classes.cycles ?? ''}
      role="note"
    >
      <ul className={classes.sentences}>
        {cycles.slice(0, MAX_DESCRIBED_CYCLES).map((ids) => (
          <li key={ids.join()}>
            {cycleText(
              ids.map((id) => keys.get(id) ?? ''),
              (from, to) => edges.has(`${ids[from]}>${ids[to]}`),
            )}
          </li>
        ))}
      </ul>
      <p>Remove one of the dependencies in each: dismiss it, undo its commit, or remove it in the tracker.</p>
    </Alert>
  );
}

function LongestChain({ graph, hrefOf }: { graph: DependencyGraph } & Pick<GraphCanvasProps, 'hrefOf'>) {
  const { longest_chain: chain } = graph;
  const issues = new Map(graph.issues.map((issue) => [issue.id, issue]));
  const label = labelsIn(graph);
  if (chain.length === 0) {
    return (
      <p className={classes.chain}>
        {graph.cycles.length === 0
          ? 'No open issue is blocked by another open issue.'
          : 'Outside of cycles, no open issue waits for an open one.'}
      </p>
    );
  }
  const rest = chain.length - MAX_NAMED_CHAIN_ISSUES;
  return (
    <div className={classes.chain}>
      <p>
        <b>Longest chain:</b> {issuesText(chain.length)} to be done one after another.
      </p>
      <ol className={classes.chainSteps} aria-label="Longest chain">
        {chain.slice(0, MAX_NAMED_CHAIN_ISSUES).map((id) => {
          const issue = issues.get(id);
          if (issue === undefined) return null;
          return (
            <li key={id}>
              <Link
                className={classes.chainStep}
                to={hrefOf(id)}
                preventScrollReset
                aria-label={`${issue.key} ${issue.title}`}
              >
                <span className={classes.chainKey}>{label(issue)}</span>
              </Link>
            </li>
          );
        })}
        {rest > 0 ? <li>{`${rest} more`}</li> : null}
      </ol>
    </div>
  );
}

function GraphSkeleton() {
  return (
    <Card>
      <Loading label="Loading the graph">
        <div className={classes.skeleton}>
          <TextSkeleton width="40%" />
        </div>
        <div className={classes.skeletonWindow} />
        <RowsSkeleton rows={4} rowHeight={40} lines={1} />
      </Loading>
    </Card>
  );
}

export type GraphViewProps = Omit<GraphCanvasProps, 'graph'> & {
  query: UseQueryResult<DependencyGraph>;
  /** The drawing; null while loading. */
  drawn: DrawnGraph | null;
  /** URL of the list view, which scans issues. */
  listHref: string;
} & Pick<DependencyActions, 'onCommit' | 'heldBack'>;

/**
 * Graph of the dependencies of a project. Describes cycles and the longest chain, followed by a
 * drawing and a table.
 */
export function GraphView({ query, drawn, listHref, onCommit, heldBack, ...canvas }: GraphViewProps) {
  const { data: graph, error } = query;
  const retry = { onRetry: () => void query.refetch(), retrying: query.isFetching };
  if (graph === undefined || drawn === null) {
    if (error !== null) return <ErrorState error={error} title="The graph could not be loaded" {...retry} />;
    return <GraphSkeleton />;
  }
  if (graph.dependencies.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={IconSitemap}
          title={
            graph.scan.read < graph.scan.total
              ? 'No dependencies are known yet'
              : 'No dependencies were found'
          }
          action={
            <Button component={Link} to={listHref} variant="filled">
              Open the list
            </Button>
          }
        >
          {graph.scan.read < graph.scan.total
            ? `The issues of the project are being read: ${countText(graph.scan.read)} of ${countText(graph.scan.total)}. Dependencies appear here as they are found.`
            : `${knownText(0, graph.scan)} Links stored in the tracker are loaded when the list displays an issue.`}
        </EmptyState>
      </Card>
    );
  }
  const part = partText(drawn);
  const uncommitted = committableDependencies(graph.dependencies);
  return (
    <>
      <Cycles graph={graph} />
      <Card
        title="Graph"
        beside={
          <span className={classes.counts}>
            {`${issuesText(graph.issues.length)}, ${dependenciesText(graph.dependencies.length)}`}
          </span>
        }
        actions={
          <Button
            size="xs"
            variant="filled"
            aria-haspopup="dialog"
            disabled={uncommitted.length === 0}
            onClick={() => onCommit(uncommitted, 'project')}
          >
            {`Commit All (${commitCountText(uncommitted, heldBack)})`}
          </Button>
        }
      >
        {error === null ? null : (
          <div className={frame.failed}>
            <ErrorState error={error} title="This graph could not be refreshed" {...retry} />
          </div>
        )}
        <LongestChain graph={graph} hrefOf={canvas.hrefOf} />
        {part === null ? null : <p className={classes.part}>{part}</p>}
        <GraphCanvas graph={drawn} {...canvas} />
        <Legend />
      </Card>
      <Card title="Table">
        <GraphTable issues={graph.issues} dependencies={graph.dependencies} hrefOf={canvas.hrefOf} />
      </Card>
    </>
  );
}
