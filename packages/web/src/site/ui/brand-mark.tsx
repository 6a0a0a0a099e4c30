/**
 * The logo of another product, from `simple-icons`. Screen readers skip it, because the name is
 * shown next to it.
 */
export function BrandMark({ path, size = 22 }: { path: string; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}
