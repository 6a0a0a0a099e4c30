import { MIN_PASSWORD_CHARS } from '@winnow/contract/account';
import { type FormEvent, useState } from 'react';
import { StrengthMeter } from '../../features/passwords/strength-meter.tsx';
import { useStrength } from '../../features/passwords/use-strength.ts';
import { PasswordField } from '../ui/field.tsx';

/** Other fields of the form. A password that contains their values is weak. */
const IDENTITY_FIELDS = ['username', 'email'];

function identityIn(form: HTMLFormElement | null): string[] {
  if (form === null) return [];
  const data = new FormData(form);
  return IDENTITY_FIELDS.map((name) => String(data.get(name) ?? ''));
}

/** A field for a new password with a strength meter. */
export function NewPasswordField({
  label,
  name,
  error,
  identity = [],
}: {
  label: string;
  name: string;
  error: string | undefined;
  /** Further values that make a password weak if it contains them. */
  identity?: readonly string[];
}) {
  const [typed, setTyped] = useState<{ password: string; identity: readonly string[] }>({
    password: '',
    identity,
  });
  const strength = useStrength(typed.password, typed.identity);
  const onInput = ({ currentTarget }: FormEvent<HTMLInputElement>) =>
    setTyped({
      password: currentTarget.value,
      identity: [...identity, ...identityIn(currentTarget.form)],
    });
  return (
    <div>
      <PasswordField
        label={label}
        name={name}
        required
        autoComplete="new-password"
        hint={`At least ${MIN_PASSWORD_CHARS} characters`}
        error={error}
        onInput={onInput}
      />
      {typed.password === '' ? null : <StrengthMeter strength={strength} error={error} />}
    </div>
  );
}
