/** What stands while the first screen's code arrives: nothing moves, and a reader hears why. */
export function FirstPaint() {
  return (
    <p className="vh" role="status">
      Loading Winnow
    </p>
  );
}
