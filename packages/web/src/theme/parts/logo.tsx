/** Logo of Winnow: two overlapping sets with a highlighted intersection. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <path d="M12 6.23a6.5 6.5 0 0 1 0 11.54 6.5 6.5 0 0 1 0-11.54z" fill="var(--accent)" />
      <circle cx="9" cy="12" r="6.5" stroke="currentColor" strokeWidth="1.75" />
      <circle cx="15" cy="12" r="6.5" stroke="currentColor" strokeWidth="1.75" />
    </svg>
  );
}

/** Logo of Winnow, followed by the product name. */
export function Wordmark({ size = 22 }: { size?: number }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
      <Logo size={size} />
      <span style={{ fontWeight: 600, fontSize: Math.round(size * 0.68), letterSpacing: '-.01em' }}>
        Winnow
      </span>
    </span>
  );
}
