/** Invisible placeholder, announced to screen readers, while the first screen's code loads. */
export function FirstPaint() {
  return (
    <p className="vh" role="status">
      Loading Winnow
    </p>
  );
}
