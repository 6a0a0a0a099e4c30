const REDACTED = '[redacted]';
const MAX_DEPTH = 6;
const MAX_LIST_ITEMS = 100;
const MAX_REDACTED_CHARS = 8192;

/** Matches the names (in snake case) of fields whose values are secret. */
const SECRET_NAME =
  /(^|_)(authorization|cookies?|tokens?|passwords?|passwd|passphrase|secrets?|credentials?|(api|secret|private|sealed|signing|access|encryption)_?keys?)$/;

/** Patterns that find credentials within a text, regardless of the field's name. */
const SECRETS_IN_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [/(\w:\/\/)[^\s/@]+@/g, `$1${REDACTED}@`],
  [/\b(wnw_|gh[opsur]_|github_pat_|glpat-|sk-|xox[a-z]-|ATATT)[\w-]{8,}/g, `$1${REDACTED}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, REDACTED],
  [
    /([?&](?:token|access_token|refresh_token|api_key|apikey|key|code|secret|password|signature)=)[^&\s"']+/gi,
    `$1${REDACTED}`,
  ],
];

/** Replaces every recognizable credential in a text. Cuts a very long text. */
export function redactText(text: string): string {
  let safe = text.length > MAX_REDACTED_CHARS ? `${text.slice(0, MAX_REDACTED_CHARS)}…` : text;
  for (const [pattern, replacement] of SECRETS_IN_TEXT) safe = safe.replace(pattern, replacement);
  return safe;
}

/**
 * Redacts the value of the field `name` for the log. If the name denotes a secret, hides the value.
 * Otherwise redacts the parts of the value recursively.
 *
 * Numbers and booleans are never hidden: a token count, for example, is not a token. A class
 * instance, such as a connection in a driver error, is logged only by its class name.
 */
export function redact(
  name: string,
  value: unknown,
  describeError: (error: Error) => unknown,
  depth = 0,
): unknown {
  if (typeof value === 'string') return isSecret(name) ? REDACTED : redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isSecret(name)) return REDACTED;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return redact(name, describeError(value), describeError, depth + 1);
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_LIST_ITEMS).map((part) => redact(name, part, describeError, depth + 1));
    return value.length > MAX_LIST_ITEMS ? [...shown, `[${value.length - MAX_LIST_ITEMS} more]`] : shown;
  }
  if (value instanceof Date) return value;
  if (!isPlain(value)) return `[${value.constructor.name}]`;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, redact(key, part, describeError, depth + 1)]),
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isSecret(name: string): boolean {
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return SECRET_NAME.test(snake);
}
