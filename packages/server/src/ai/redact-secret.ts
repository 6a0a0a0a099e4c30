/**
 * Minimum length of an encoded form to redact. Shorter forms could match parts of ordinary words.
 */
const MIN_ENCODED_CHARS = 4;

/**
 * Redacts a secret from a text. Finds it verbatim, JSON-escaped, URL-encoded, and in base64, also
 * within a longer encoded value.
 */
export function redactSecret(text: string, secret: string): string {
  if (secret === '') return text;
  const coded = base64Forms(secret).filter((form) => form.length >= MIN_ENCODED_CHARS);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), ...coded].flatMap((form) => [
    form,
    ...urlEncoded(form),
  ]);
  return forms.reduce((rest, form) => rest.replaceAll(form, '…'), text);
}

function urlEncoded(text: string): string[] {
  const coded = encodeURIComponent(text);
  return [coded, coded.replace(/%../g, (code) => code.toLowerCase())];
}

/**
 * Returns the base64 forms of a text at all three byte offsets. A prefix, such as a username,
 * shifts the encoding.
 */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((coding) => shifted.toString(coding).slice(start, end));
  });
}
