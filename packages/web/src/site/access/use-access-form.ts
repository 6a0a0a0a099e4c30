import { type FormEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../../api/session/api-error.ts';
import { type FormOptions, type FormState, useForm } from '../ui/use-form.ts';
import { useWait } from './use-wait.ts';

/**
 * Waiting time after the error 429 (too many attempts) if the response has no `Retry-After` header.
 */
const DEFAULT_WAIT_SECONDS = 60;

export interface AccessFormOptions<S extends z.ZodType> extends FormOptions<S> {
  /**
   * Field whose value the server limits attempts for, such as the username. If this field has
   * another value, the form can be sent immediately.
   */
  limitedBy?: keyof z.output<S> & string;
}

export interface AccessFormState extends FormState {
  /** Seconds until the next attempt is allowed. 0 if it is allowed now. */
  secondsToWait: number;
}

/** Manages a form whose attempts the server limits. Otherwise works like {@link useForm}. */
export function useAccessForm<S extends z.ZodType>({
  send,
  limitedBy,
  ...options
}: AccessFormOptions<S>): AccessFormState {
  const [secondsLeft, wait] = useWait();
  const [hasOtherValue, setHasOtherValue] = useState(false);
  const limitedValue = useRef<unknown>(undefined);
  const form = useForm({
    ...options,
    send: async (values: z.output<S>) => {
      try {
        await send(values);
      } catch (error) {
        if (isRateLimited(error)) {
          wait(error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
          limitedValue.current = limitedBy === undefined ? undefined : values[limitedBy];
          setHasOtherValue(false);
        }
        throw error;
      }
    },
  });
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    form.form.onInput(event);
    if (limitedBy === undefined) return;
    const entered = new FormData(event.currentTarget).get(limitedBy);
    setHasOtherValue(String(entered ?? '').trim() !== limitedValue.current);
  };
  return { ...form, form: { ...form.form, onInput }, secondsToWait: hasOtherValue ? 0 : secondsLeft };
}

/** True if the server refused the request with 429 (too many attempts). */
export function isRateLimited(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429;
}
