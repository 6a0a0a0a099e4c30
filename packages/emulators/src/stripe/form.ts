/** A decoded form value: a string, or an array or object written with brackets. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type FormFields = { [name: string]: FormValue };

/**
 * Parses a form-encoded body or query such as `a=1&items[0][price]=p&metadata[kind]=x`. Keys 0, 1,
 * 2… become an array.
 */
export function parseForm(text: string): FormFields {
  const root: FormFields = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const [first = '', ...inner] = key.split('[').map((part) => part.replace(/\]$/, ''));
    put(root, [first, ...inner], value);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, withLists(value)]));
}

function put(into: FormFields, [name = '', ...rest]: readonly string[], value: string): void {
  const key = name === '' ? String(Object.keys(into).length) : name;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const known = into[key];
  const next: FormFields = typeof known === 'object' && !Array.isArray(known) ? known : {};
  into[key] = next;
  put(next, rest, value);
}

function withLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
