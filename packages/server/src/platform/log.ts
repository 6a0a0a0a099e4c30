import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  destination,
  type Logger,
  pino,
  stdSerializers,
} from 'pino';
import type { LogLevel } from './config.ts';
import { redact, redactText } from './redact.ts';

/** Where every part writes what the operator should know: an object of fields, then a sentence. */
export type Log = Logger;

const fieldsOfThisWork = new AsyncLocalStorage<Readonly<Record<string, unknown>>>();

/**
 * Does `work`; every line logged by it, however deep, carries `fields` too (a request's or a job's id). Fields of work
 * within work add up.
 */
export function withLogFields<T>(fields: Readonly<Record<string, unknown>>, work: () => T): T {
  return fieldsOfThisWork.run({ ...fieldsOfThisWork.getStore(), ...fields }, work);
}

/**
 * Opens the log: one JSON line per entry on standard error, since standard output says only where Winnow is ready.
 * What looks like a secret is replaced before it is written, in fields, in errors and in the sentence.
 */
export function openLog(options: { level: LogLevel; destination?: DestinationStream }): Log {
  const log: Log = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      messageKey: 'message',
      errorKey: 'error',
      formatters: {
        level: (label) => ({ level: label }),
        bindings: redactFields,
        log: redactFields,
      },
      serializers: {
        // Errors come described already, see below.
        error: (described: unknown) => described,
        err: (described: unknown) => described,
        req: (request: { method?: unknown; url?: unknown }) => ({
          method: request.method,
          url: redactText(String(request.url)),
        }),
        res: (reply: { statusCode?: unknown }) => ({ status: reply.statusCode }),
      },
      mixin: () => fieldsOfThisWork.getStore() ?? {},
      hooks: {
        logMethod(entry, write) {
          const [first, ...rest] = entry as unknown[];
          const sentence = rest.map((part) => (typeof part === 'string' ? redactText(part) : part));
          const safe =
            first instanceof Error
              ? [{ error: first }, ...(sentence.length > 0 ? sentence : [redactText(first.message)])]
              : [typeof first === 'string' ? redactText(first) : first, ...sentence];
          Reflect.apply(write, this, safe);
        },
      },
    },
    options.destination ?? destination({ dest: 2, sync: true }),
  );
  // A child keeps the formatter of its lines, not the one of what it carries; children inherit this method.
  const child = log.child;
  return Object.assign(log, {
    child(this: Log, bindings: Bindings, childOptions?: ChildLoggerOptions): Log {
      return Reflect.apply(child, this, [redactFields(bindings), childOptions]);
    },
  });
}

function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    // Requests and replies are large objects with a serializer of their own.
    safe[name] = name === 'req' || name === 'res' ? value : redact(name, value, describeError);
  }
  return safe;
}

function describeError(error: Error): unknown {
  return { ...stdSerializers.err(error) };
}
