import type { z } from 'zod';
import { ApiError } from '../../app/session/api-error.ts';
import { type FormOptions, type FormState, useForm } from '../ui/use-form.ts';
import { useWait } from '../use-wait.ts';

/** How long to wait when the server refuses because of too many attempts and does not say for how long. */
const DEFAULT_WAIT_SECONDS = 60;

export interface AccessFormState extends FormState {
  /** How long the server asked to wait before the next attempt; 0 when one may go on. */
  secondsToWait: number;
}

/** A form whose attempts the server limits: see {@link useForm}. */
export function useAccessForm<S extends z.ZodType>({ send, ...options }: FormOptions<S>): AccessFormState {
  const [secondsToWait, wait] = useWait();
  const form = useForm({
    ...options,
    send: async (values: z.output<S>) => {
      try {
        await send(values);
      } catch (error) {
        if (isLimit(error)) wait(error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
        throw error;
      }
    },
  });
  return { ...form, secondsToWait };
}

/** Whether the server refused because of too many attempts. */
export function isLimit(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429;
}
