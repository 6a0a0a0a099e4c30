import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { fieldErrorsOf } from '../../api/session/field-errors.ts';
import { useIsReady } from './use-is-ready.ts';

export interface FormOptions<S extends z.ZodType> {
  /** The contract's schema of what is sent. */
  schema: S;
  /** Sends what was entered. What it throws is shown by the page; what the server said about a field stands at it. */
  send: (values: z.output<S>) => Promise<void>;
  /** Names of fields that may be there more than once, such as checkboxes: always read as a list. */
  lists?: readonly string[];
  /** Once it was sent the page goes on elsewhere: until then it stays busy, and nothing is sent again. */
  once?: boolean;
}

export interface FormState {
  errors: Record<string, string>;
  /** False until the page's script runs: before, nothing could be sent. */
  isReady: boolean;
  isSending: boolean;
  /** What `send` threw last; undefined while nothing failed. */
  failure: unknown;
  /** Forgets the failure, such as when its message is closed. */
  dismiss: () => void;
  /** Spread onto the `form`. Nothing is sent while a field does not hold; the first such field takes the focus. */
  form: {
    noValidate: true;
    /** Should the browser ever send the fields itself, they are not in the address. */
    method: 'post';
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onInput: (event: FormEvent<HTMLFormElement>) => void;
  };
}

/** A form whose fields are the browser's own, checked by the contract's schema before they are sent. */
export function useForm<S extends z.ZodType>({
  schema,
  send,
  lists = [],
  once = false,
}: FormOptions<S>): FormState {
  const isReady = useIsReady();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);

  async function submit(form: HTMLFormElement): Promise<void> {
    const entered = valuesOf(new FormData(form), lists);
    const parsed = schema.safeParse(entered);
    setFailure(undefined);
    if (!parsed.success) {
      const found: Record<string, string> = {};
      for (const { path, message } of parsed.error.issues) found[String(path[0])] ??= message;
      setErrors(found);
      focusFirst(form, found);
      return;
    }
    setErrors({});
    setSending(true);
    try {
      await send(parsed.data);
      if (!once) setSending(false);
    } catch (error) {
      setSending(false);
      setFailure(error);
      const found = fieldErrorsOf(error, Object.keys(entered));
      setErrors(found);
      focusFirst(form, found);
    }
  }

  return {
    errors,
    isReady,
    isSending,
    failure,
    dismiss: () => setFailure(undefined),
    form: {
      noValidate: true,
      method: 'post',
      onSubmit: (event) => {
        event.preventDefault();
        if (!isSending) void submit(event.currentTarget);
      },
      onInput: ({ target }) => {
        const name = 'name' in target ? String(target.name) : '';
        if (name in errors) setErrors(({ [name]: _, ...rest }) => rest);
      },
    },
  };
}

function valuesOf(data: FormData, lists: readonly string[]): Record<string, unknown> {
  const names = [...new Set([...data.keys(), ...lists])];
  return Object.fromEntries(
    names.map((name) => [name, lists.includes(name) ? data.getAll(name) : data.get(name)]),
  );
}

function focusFirst(form: HTMLFormElement, errors: Record<string, unknown>): void {
  for (const element of form.elements) {
    if (element instanceof HTMLElement && 'name' in element && String(element.name) in errors) {
      element.focus();
      return;
    }
  }
}
