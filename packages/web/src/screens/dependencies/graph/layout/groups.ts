/** A group of connected nodes, with the edges between them. */
export type Group<Node, Edge> = { nodes: Node[]; edges: Edge[] };

/**
 * Splits nodes into groups of connected nodes, ordered by the first node of each group. Drops edges
 * to unknown nodes.
 */
export function groupsOf<Node extends { id: string }, Edge extends { source: string; dependent: string }>(
  nodes: readonly Node[],
  edges: readonly Edge[],
): Group<Node, Edge>[] {
  const parents = new Map(nodes.map(({ id }) => [id, id]));
  const rootOf = (id: string): string => {
    let at = id;
    for (;;) {
      const parent = parents.get(at) ?? at;
      if (parent === at) return at;
      // Path halving: shortens chains of parents, so that later lookups are fast.
      parents.set(at, parents.get(parent) ?? parent);
      at = parent;
    }
  };
  const inside = edges.filter(({ source, dependent }) => parents.has(source) && parents.has(dependent));
  for (const { source, dependent } of inside) parents.set(rootOf(source), rootOf(dependent));
  const groups = new Map<string, Group<Node, Edge>>();
  for (const node of nodes) {
    const root = rootOf(node.id);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, { nodes: [node], edges: [] });
    else group.nodes.push(node);
  }
  for (const edge of inside) groups.get(rootOf(edge.source))?.edges.push(edge);
  return [...groups.values()];
}
