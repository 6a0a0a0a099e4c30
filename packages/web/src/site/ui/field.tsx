import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import classes from './field.module.css';

interface FieldTexts {
  label: string;
  /** Help text below the field. */
  hint?: string;
  /** Error message about the value of the field. */
  error?: string | undefined;
}

/**
 * `aria-invalid` is set even if it is false. Without it, screen readers announce empty required
 * fields as invalid.
 */
type Names = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined };

function Field({ label, hint, error, children }: FieldTexts & { children: (names: Names) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': Boolean(error), 'aria-describedby': described || undefined })}
      {hint ? (
        <p id={`${id}-hint`} className={classes.hint}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** A single-line text field with label, hint and error. */
export function TextField({
  label,
  hint,
  error,
  ...input
}: FieldTexts & Omit<ComponentProps<'input'>, 'id' | 'className'>) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(names) => <input type="text" {...input} {...names} className={classes.input} />}
    </Field>
  );
}

/** A password field with a button that reveals the password. */
export function PasswordField({
  label,
  hint,
  error,
  ...input
}: FieldTexts & Omit<ComponentProps<'input'>, 'id' | 'className' | 'type'>) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(names) => (
        <div className={classes.password}>
          <input {...input} {...names} type={isShown ? 'text' : 'password'} className={classes.input} />
          <button
            type="button"
            aria-label={isShown ? `Hide ${label}` : `Show ${label}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <IconEyeOff size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
          </button>
        </div>
      )}
    </Field>
  );
}

/** A drop-down list. */
export function SelectField({
  label,
  hint,
  error,
  options,
  ...select
}: FieldTexts & {
  options: readonly { value: string; label: string }[];
} & Omit<ComponentProps<'select'>, 'id' | 'className' | 'children'>) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(names) => (
        <select {...select} {...names} className={classes.input}>
          <option value="">Choose one</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/**
 * Adjusts the height of the field to its text, for browsers without the CSS property
 * `field-sizing`.
 */
function grow(area: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
}

/** A multi-line text field whose height grows with its text. */
export function TextArea({
  label,
  hint,
  error,
  rows = 4,
  ...area
}: FieldTexts & Omit<ComponentProps<'textarea'>, 'id' | 'className' | 'onInput'>) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={error}>
      {(names) => (
        <textarea
          {...area}
          {...names}
          rows={rows}
          className={`${classes.input} ${classes.area}`}
          onInput={({ currentTarget }) => grow(currentTarget)}
        />
      )}
    </Field>
  );
}

/** A group of checkboxes with the same `name`. */
export function CheckboxGroup({
  label,
  name,
  options,
}: {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
}) {
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="checkbox" name={name} value={option.value} />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
