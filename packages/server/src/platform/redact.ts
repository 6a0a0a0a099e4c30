const REDACTED = '[redacted]';
const DEEPEST = 6;
const LONGEST_LIST = 100;
const LONGEST_TEXT = 8192;

/** The end of a name, in snake case, that says its value is secret. */
const SECRET_NAME =
  /(^|_)(authorization|cookies?|tokens?|passwords?|passwd|passphrase|secrets?|credentials?|(api|secret|private|sealed|signing|access|encryption)_?keys?)$/;

/** Credentials as they are written inside a text, whatever field it stands in. */
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

/** The text with every credential in it that we can recognize replaced, and cut off where it is overlong. */
export function redactText(text: string): string {
  let safe = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  for (const [pattern, replacement] of SECRETS_IN_TEXT) safe = safe.replace(pattern, replacement);
  return safe;
}

/**
 * The value of the field `name` as it may be logged: hidden when the name says that it is secret, otherwise with every
 * part of it treated the same way. Numbers and flags stay (a count of tokens is no token). Of an instance of a class,
 * such as the connection that an error of the driver carries, only the name of the class is told.
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
  if (depth >= DEEPEST) return '[deeper]';
  if (value instanceof Error) return redact(name, describeError(value), describeError, depth + 1);
  if (Array.isArray(value)) {
    const shown = value.slice(0, LONGEST_LIST).map((part) => redact(name, part, describeError, depth + 1));
    return value.length > LONGEST_LIST ? [...shown, `[${value.length - LONGEST_LIST} more]`] : shown;
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
