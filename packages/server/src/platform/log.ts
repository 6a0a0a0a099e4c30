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

/** Log for the operator. Each entry has an object of fields and a sentence. */
export type Log = Logger;

const contextFields = new AsyncLocalStorage<Readonly<Record<string, unknown>>>();

/**
 * Runs `work` and adds `fields`, such as a request or job id, to every line logged meanwhile.
 * Nested calls add their fields to those of the outer call.
 */
export function withLogFields<T>(fields: Readonly<Record<string, unknown>>, work: () => T): T {
  return contextFields.run({ ...contextFields.getStore(), ...fields }, work);
}

/**
 * Opens the log. It writes one JSON line per entry to standard error, because standard output only
 * announces the address of Winnow. Redacts secrets in fields, errors and sentences.
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
        // `logMethod` below has already turned errors into plain objects.
        error: (described: unknown) => described,
        err: (described: unknown) => described,
        req: (request: { method?: unknown; url?: unknown }) => ({
          method: request.method,
          url: redactText(String(request.url)),
        }),
        res: (reply: { statusCode?: unknown }) => ({ status: reply.statusCode }),
      },
      mixin: () => contextFields.getStore() ?? {},
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
  // pino does not redact the bindings of a child logger, so this method does. Child loggers inherit
  // the method.
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
    // Requests and replies are large objects. The serializers above reduce them.
    safe[name] = name === 'req' || name === 'res' ? value : redact(name, value, describeError);
  }
  return safe;
}

function describeError(error: Error): unknown {
  return { ...stdSerializers.err(error) };
}
