import { type FormEvent, useState, useSyncExternalStore } from 'react';
import type { z } from 'zod';
import { fieldErrorsOf } from '../../api/session/field-errors.ts';

export interface FormOptions<S extends z.ZodType> {
  /** Schema of the request body. */
  schema: S;
  /**
   * Sends the values of the form. Errors about a field are shown at the field. The page shows any
   * other error.
   */
  send: (values: z.output<S>) => Promise<void>;
  /**
   * Names of fields with several values, such as checkboxes. The values of such a field are always
   * read as a list.
   */
  lists?: readonly string[];
  /**
   * True if the user leaves the page after sending. The form then stays busy and cannot be sent
   * again.
   */
  once?: boolean;
}

export interface FormState {
  errors: Record<string, string>;
  /** False until hydration has finished. The form cannot be sent before. */
  isReady: boolean;
  isSending: boolean;
  /** The last error thrown by `send`. Undefined if there is none. */
  failure: unknown;
  /** Clears `failure` when the user closes the error message. */
  dismiss: () => void;
  /**
   * Props of the `form` element. Invalid values are not sent; the first invalid field receives the
   * focus.
   */
  form: {
    noValidate: true;
    /**
     * With `post`, the values do not appear in the address if the browser submits the form itself.
     */
    method: 'post';
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onInput: (event: FormEvent<HTMLFormElement>) => void;
  };
}

/**
 * Manages a form with native fields. The values are validated with a schema before they are sent.
 */
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

const subscribeToNothing = () => () => undefined;

/** True after hydration has finished. False before, and in prerendered HTML. */
function useIsReady(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
