import type { DependencyGraph } from '@winnow/contract/dependency';
import { countText } from '../../../ui/texts/count-text.ts';
import { issuesText, keyLabel, listText } from '../dependency-texts.ts';
import { type GraphLayout, layoutGraph, type Point } from './layout/layout.ts';
import type { Box } from './viewport.ts';

export type GraphIssue = DependencyGraph['issues'][number];
export type GraphEdge = DependencyGraph['dependencies'][number];

/** Maximum number of issues that are drawn. The table lists all issues. */
const MAX_DRAWN_ISSUES = 500;

/** An issue in the drawing. */
export type DrawnIssue = {
  issue: GraphIssue;
  position: Point;
  /** Issue key, without the project where it is clear. */
  label: string;
  /**
   * `Cycle` if the issue is in a cycle, or its step in the longest chain, such as `Step 2`.
   * Otherwise null.
   */
  remark: string | null;
  /** Accessible name: the visible text, the blockers, and the blocked issues. */
  name: string;
  inCycle: boolean;
  /**
   * Position of the issue in the longest chain, starting at 1. Null if the issue is not part of it.
   */
  chainStep: number | null;
};

/** A dependency in the drawing. */
export type DrawnEdge = {
  edge: GraphEdge;
  route: readonly Point[];
  /** Bounding box of the route. */
  box: Box;
  /** True if the edge connects consecutive issues of the longest chain. */
  onChain: boolean;
};

export type DrawnGraph = {
  issues: readonly DrawnIssue[];
  edges: readonly DrawnEdge[];
  layout: GraphLayout;
  /** Number of issues that are not drawn. */
  left: number;
};

/**
 * Returns the ids of the issues to draw. In a large graph, these are the issues around the longest
 * chain, preferring open issues.
 */
export function drawnIds(graph: DependencyGraph, most = MAX_DRAWN_ISSUES): ReadonlySet<string> {
  const all = graph.issues.map(({ id }) => id);
  if (all.length <= most) return new Set(all);
  const beside = new Map<string, string[]>(all.map((id) => [id, []]));
  for (const { source_issue_id: source, dependent_issue_id: dependent } of graph.dependencies) {
    beside.get(source)?.push(dependent);
    beside.get(dependent)?.push(source);
  }
  const open = new Set(graph.issues.filter(({ state }) => state === 'opened').map(({ id }) => id));
  const taken = new Set(graph.longest_chain.slice(0, most));
  const spreadFrom = (starts: readonly string[], among: ReadonlySet<string>) => {
    const queue = [...starts];
    for (const id of queue) {
      for (const other of beside.get(id) ?? []) {
        if (taken.size >= most) return;
        if (taken.has(other) || !among.has(other)) continue;
        taken.add(other);
        queue.push(other);
      }
    }
  };
  // First add open issues that are connected with the chain, then other open issues, then closed
  // issues, up to the maximum.
  for (const among of [open, new Set(all)]) {
    spreadFrom([...taken], among);
    for (const id of all) {
      if (taken.size >= most) return taken;
      if (taken.has(id) || !among.has(id)) continue;
      taken.add(id);
      spreadFrom([id], among);
    }
  }
  return taken;
}

function remarkOf(inCycle: boolean, chainStep: number | null): string | null {
  if (inCycle) return 'Cycle';
  return chainStep === null ? null : `Step ${chainStep}`;
}

/** Returns the accessible name of an issue, which starts with the visible text. */
function nameOf(
  { title, state }: GraphIssue,
  shown: readonly (string | null)[],
  waitsFor: readonly string[],
  blocks: readonly string[],
): string {
  return [
    [...shown.filter((part) => part !== null), title].join(' '),
    state === 'closed' ? 'Closed' : null,
    waitsFor.length === 0 ? 'Waits for nothing' : `Waits for ${listText(waitsFor)}`,
    blocks.length === 0 ? null : `Blocks ${listText(blocks)}`,
  ]
    .filter((part) => part !== null)
    .join('. ');
}

/**
 * Returns a function that formats issue keys. It omits the project of issues in the same project as
 * the first issue of the graph.
 */
export function labelsIn({ issues, dependencies }: DependencyGraph) {
  const trackers = new Map(
    dependencies
      .flatMap(({ source, dependent }) => [source, dependent])
      .map(({ id, tracker }) => [id, tracker]),
  );
  type Named = Pick<GraphIssue, 'id' | 'key'> & { project_id: string | null };
  const placed = ({ id, key, project_id }: Named) => ({ key, project_id, tracker: trackers.get(id) ?? null });
  const [first] = issues;
  return (issue: Named) => keyLabel(placed(issue), placed(first ?? issue));
}

/** Returns the bounding box of the points. */
function boxAround(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Builds the drawing of a graph. */
export function drawGraph(graph: DependencyGraph): DrawnGraph {
  const drawn = drawnIds(graph);
  const issues = graph.issues.filter(({ id }) => drawn.has(id));
  const edges = graph.dependencies.filter(
    ({ source_issue_id, dependent_issue_id }) => drawn.has(source_issue_id) && drawn.has(dependent_issue_id),
  );
  const layout = layoutGraph(
    issues,
    edges.map((edge) => ({ source: edge.source_issue_id, dependent: edge.dependent_issue_id })),
  );
  const label = labelsIn(graph);
  const steps = new Map(graph.longest_chain.map((id, index) => [id, index + 1]));
  const cycled = new Set(graph.cycles.flat());
  const waitsFor = Map.groupBy(
    graph.dependencies.filter(({ is_satisfied }) => !is_satisfied),
    ({ dependent_issue_id }) => dependent_issue_id,
  );
  const blocks = Map.groupBy(graph.dependencies, ({ source_issue_id }) => source_issue_id);
  return {
    issues: issues.map((issue) => {
      const shown = label(issue);
      const inCycle = cycled.has(issue.id);
      const chainStep = steps.get(issue.id) ?? null;
      const remark = remarkOf(inCycle, chainStep);
      return {
        issue,
        position: layout.positions.get(issue.id) ?? { x: 0, y: 0 },
        label: shown,
        remark,
        name: nameOf(
          issue,
          [shown, remark],
          (waitsFor.get(issue.id) ?? []).map(({ source }) => label(source)),
          (blocks.get(issue.id) ?? []).map(({ dependent }) => label(dependent)),
        ),
        inCycle,
        chainStep,
      };
    }),
    edges: edges.flatMap((edge, index) => {
      const route = layout.routes[index] ?? null;
      if (route === null) return [];
      const from = steps.get(edge.source_issue_id);
      const onChain = from !== undefined && steps.get(edge.dependent_issue_id) === from + 1;
      return [{ edge, route, box: boxAround(route), onChain }];
    }),
    layout,
    left: graph.issues.length - issues.length,
  };
}

/** States which part of a large graph is drawn. Null if all issues are drawn. */
export function partText({ issues, left }: DrawnGraph): string | null {
  if (left === 0) return null;
  return `${issuesText(issues.length)} around the longest chain are drawn, open ones first. The table below also lists the other ${countText(left)}.`;
}
