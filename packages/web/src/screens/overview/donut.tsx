import classes from './project-shares.module.css';

/** The radius at which the ring is 100 long, so that a dash's length is its percent. */
const RADIUS = 50 / Math.PI;

/** A ring of which `share` (0 to 1) is in the color of the data, around its number. The words beside it say the rest. */
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
