import classes from './spinner.module.css';

/** A loading indicator. Only screen readers read the label, unless `isLabelShown` is set. */
export function Spinner({ label, isLabelShown = false }: { label: string; isLabelShown?: boolean }) {
  return (
    <div className={classes.spinner} role="status">
      <span aria-hidden />
      <span className={isLabelShown ? classes.label : 'vh'}>{label}</span>
    </div>
  );
}
