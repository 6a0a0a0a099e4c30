import { type FormEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../../api/session/api-error.ts';
import { type FormOptions, type FormState, useForm } from '../ui/use-form.ts';
import { useWait } from './use-wait.ts';

/** How long to wait when the server refuses because of too many attempts and does not say for how long. */
const DEFAULT_WAIT_SECONDS = 60;

export interface AccessFormOptions<S extends z.ZodType> extends FormOptions<S> {
  /** Name of the field whose value the limit belongs to: with another value, the next attempt need not wait. */
  limitedBy?: keyof z.output<S> & string;
}

export interface AccessFormState extends FormState {
  /** How long the server asked to wait before the next attempt; 0 when one may go on. */
  secondsToWait: number;
}

/** A form whose attempts the server limits: see {@link useForm}. */
export function useAccessForm<S extends z.ZodType>({
  send,
  limitedBy,
  ...options
}: AccessFormOptions<S>): AccessFormState {
  const [secondsLeft, wait] = useWait();
  const [isOther, setOther] = useState(false);
  const limitedValue = useRef<unknown>(undefined);
  const form = useForm({
    ...options,
    send: async (values: z.output<S>) => {
      try {
        await send(values);
      } catch (error) {
        if (isLimit(error)) {
          wait(error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
          limitedValue.current = limitedBy === undefined ? undefined : values[limitedBy];
          setOther(false);
        }
        throw error;
      }
    },
  });
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    form.form.onInput(event);
    if (limitedBy === undefined) return;
    const entered = new FormData(event.currentTarget).get(limitedBy);
    setOther(String(entered ?? '').trim() !== limitedValue.current);
  };
  return { ...form, form: { ...form.form, onInput }, secondsToWait: isOther ? 0 : secondsLeft };
}

/** Whether the server refused because of too many attempts. */
export function isLimit(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429;
}
