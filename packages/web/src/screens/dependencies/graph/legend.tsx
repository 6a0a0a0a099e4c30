import { useId } from 'react';
import classes from './graph.module.css';
import { ArrowHeads, EdgeLine, type EdgeLook } from './graph-edges.tsx';

const LEGEND_LINES: { label: string; look: EdgeLook; dashed: boolean; dimmed: boolean }[] = [
  { label: 'Blocks, known to the tracker', look: 'plain', dashed: false, dimmed: false },
  { label: 'Found, not committed', look: 'plain', dashed: true, dimmed: false },
  { label: 'Satisfied: the blocking issue is closed', look: 'plain', dashed: false, dimmed: true },
  { label: 'Longest chain', look: 'chain', dashed: false, dimmed: false },
  { label: 'Part of a cycle', look: 'cycle', dashed: false, dimmed: false },
];

/** Legend of the edge styles. */
export function Legend() {
  const prefix = useId();
  return (
    <ul className={classes.legend} aria-label="Legend">
      {LEGEND_LINES.map(({ label, ...line }) => (
        <li key={label}>
          <svg width={36} height={10} aria-hidden="true">
            <ArrowHeads prefix={prefix} />
            <EdgeLine d="M1 5H34" prefix={prefix} {...line} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
