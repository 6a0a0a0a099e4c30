import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ScopeRow } from './scope-row.tsx';
import classes from './scope-tree.module.css';
import { tabStop, treeAction } from './tree-keys.ts';
import type { TreeRow } from './tree-rows.ts';

export type ScopeTreeProps = {
  rows: readonly TreeRow[];
  /** Id of the element that labels the tree. */
  labelledBy: string;
  /**
   * Called when the user activates a row: toggles its checkbox, or loads its projects again after
   * an error.
   */
  onActivate: (row: TreeRow) => void;
  onExpand: (row: TreeRow, expanded: boolean) => void;
};

function focusRow(tree: HTMLElement | null, id: string): void {
  const target = tree?.querySelector(`[data-row="${CSS.escape(id)}"]`);
  if (target instanceof HTMLElement) target.focus();
}

/** Tree of organizations and projects with checkboxes, for mouse and keyboard. */
export function ScopeTree({ rows, labelledBy, onActivate, onExpand }: ScopeTreeProps) {
  const tree = useRef<HTMLDivElement>(null);
  const [lastFocused, setLastFocused] = useState<string | null>(null);
  const stop = tabStop(rows, lastFocused);

  // A row that shows loading or an error disappears when the projects are loaded. Move the focus to
  // another row then.
  const isFocusLost = lastFocused !== null && !rows.some(({ id }) => id === lastFocused);
  useEffect(() => {
    if (!isFocusLost || stop === null || document.activeElement !== document.body) return;
    focusRow(tree.current, stop);
  }, [isFocusLost, stop]);

  function pressKey(row: TreeRow, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = treeAction(rows, row.id, event.key);
    if (action === null) return;
    event.preventDefault();
    if (action.type === 'focus') focusRow(tree.current, action.id);
    else if (action.type === 'activate') onActivate(action.row);
    else onExpand(action.row, action.type === 'expand');
  }

  return (
    <div
      ref={tree}
      className={classes.tree}
      role="tree"
      aria-labelledby={labelledBy}
      aria-multiselectable="true"
    >
      {rows.map((row) => (
        <ScopeRow
          key={row.id}
          row={row}
          reachable={row.id === stop}
          onFocus={() => setLastFocused(row.id)}
          onKey={(event) => pressKey(row, event)}
          onActivate={() => onActivate(row)}
          onExpand={() => row.kind === 'organization' && onExpand(row, !row.expanded)}
        />
      ))}
    </div>
  );
}
