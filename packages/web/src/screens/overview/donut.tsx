import classes from './project-shares.module.css';

/** Radius of the ring. The circumference is 100, so the length of a dash equals a percentage. */
const RADIUS = 50 / Math.PI;

/** Ring chart of a share from 0 to 1. Shows `children` in the center. */
export function Donut({ share, children }: { share: number; children: string }) {
  return (
    <svg className={classes.donut} viewBox="0 0 36 36" aria-hidden="true" focusable="false">
      <circle cx="18" cy="18" r={RADIUS} fill="none" stroke="var(--data-2)" strokeWidth="4" />
      <circle
        cx="18"
        cy="18"
        r={RADIUS}
        fill="none"
        stroke="var(--data-1)"
        strokeWidth="4"
        strokeDasharray={`${share * 100} 100`}
        transform="rotate(-90 18 18)"
      />
      <text x="18" y="21" textAnchor="middle">
        {children}
      </text>
    </svg>
  );
}
