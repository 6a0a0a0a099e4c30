import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronRight, IconMinus } from '@tabler/icons-react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { sentenceOf } from '../../api/session/api-error.ts';
import type { CheckState } from './scope-selection.ts';
import classes from './scope-tree.module.css';
import type { TreeRow } from './tree-rows.ts';

export type ScopeRowProps = {
  row: TreeRow;
  /** True if pressing Tab moves the focus to this row. */
  reachable: boolean;
  onFocus: () => void;
  onKey: (event: KeyboardEvent) => void;
  onActivate: () => void;
  onExpand: () => void;
};

const ARIA_CHECKED = { none: 'false', some: 'mixed', all: 'true' } as const;
const NOT_VISIBLE = 'Not visible to this token';

function Name({ name, visible }: { name: string; visible: boolean }) {
  return (
    <>
      <span className="trunc">{name}</span>
      {visible ? null : <span className={classes.note}>{NOT_VISIBLE}</span>}
    </>
  );
}

function contentOf(row: TreeRow, onExpand: () => void): ReactNode {
  switch (row.kind) {
    case 'organization':
      return (
        <>
          <span
            className={classes.chevron}
            aria-hidden="true"
            onClick={(event: MouseEvent) => {
              event.stopPropagation();
              onExpand();
            }}
          >
            <IconChevronRight size={14} stroke={1.75} data-open={row.expanded || undefined} />
          </span>
          <CheckMark state={row.state} />
          <Name {...row.organization} />
          <span className={classes.note}>{row.note}</span>
        </>
      );
    case 'project':
      return (
        <>
          <CheckMark state={row.selected ? 'all' : 'none'} />
          <Name {...row.project} />
        </>
      );
    case 'loading':
      return (
        <>
          <Loader size={14} aria-hidden />
          <span className={classes.quiet}>Loading projects</span>
        </>
      );
    case 'empty':
      return <span className={classes.quiet}>No projects</span>;
    case 'failed':
      return (
        <>
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden className={classes.warning} />
          <span className={classes.sentence}>
            {sentenceOf(row.error, 'The projects could not be loaded.')}
          </span>
          <span className={classes.retry}>Retry</span>
        </>
      );
  }
}

/**
 * One row of the tree of organizations and projects. Activating a row that shows an error loads its
 * projects again.
 */
export function ScopeRow({ row, reachable, onFocus, onKey, onActivate, onExpand }: ScopeRowProps) {
  const isOrganization = row.kind === 'organization';
  const checked =
    row.kind === 'organization'
      ? ARIA_CHECKED[row.state]
      : row.kind === 'project'
        ? ARIA_CHECKED[row.selected ? 'all' : 'none']
        : undefined;
  return (
    <div
      role="treeitem"
      data-row={row.id}
      data-kind={row.kind}
      className={classes.row}
      tabIndex={reachable ? 0 : -1}
      aria-level={isOrganization ? 1 : 2}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={isOrganization ? row.expanded : undefined}
      aria-checked={checked}
      onFocus={onFocus}
      onKeyDown={onKey}
      onClick={onActivate}
    >
      {contentOf(row, onExpand)}
    </div>
  );
}

/**
 * Visual checkbox. It is hidden from screen readers, since its row already reports the state to
 * them.
 */
function CheckMark({ state }: { state: CheckState }) {
  return (
    <span className={classes.check} data-state={state} aria-hidden="true">
      {state === 'all' ? <IconCheck size={12} stroke={2.5} /> : null}
      {state === 'some' ? <IconMinus size={12} stroke={2.5} /> : null}
    </span>
  );
}
