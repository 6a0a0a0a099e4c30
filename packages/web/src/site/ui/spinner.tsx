import classes from './spinner.module.css';

/** Something is being waited for; `label` says what, to everybody with `isLabelShown`. */
export function Spinner({ label, isLabelShown = false }: { label: string; isLabelShown?: boolean }) {
  return (
    <div className={classes.spinner} role="status">
      <span aria-hidden />
      <span className={isLabelShown ? classes.label : 'vh'}>{label}</span>
    </div>
  );
}
