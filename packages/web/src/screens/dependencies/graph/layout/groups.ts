/** Connected nodes with the edges between them. */
export type Group<Node, Edge> = { nodes: Node[]; edges: Edge[] };

/**
 * The groups that nodes fall into, in the order of their first nodes. Edges with an end elsewhere
 * are left out.
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
      // Halved on the way, so that long chains stay quick.
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
