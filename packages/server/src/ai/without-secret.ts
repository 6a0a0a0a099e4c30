/** A coded form that is shorter could be part of any word. */
const SHORTEST_CODED = 4;

/** A text without a secret, be it as it is, as JSON writes it, in base64 (alone or within something longer) or coded for an address. */
export function withoutSecret(text: string, secret: string): string {
  if (secret === '') return text;
  const coded = inBase64(secret).filter((form) => form.length >= SHORTEST_CODED);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), ...coded].flatMap((form) => [
    form,
    ...inAddress(form),
  ]);
  return forms.reduce((rest, form) => rest.replaceAll(form, '…'), text);
}

function inAddress(text: string): string[] {
  const coded = encodeURIComponent(text);
  return [coded, coded.replace(/%../g, (code) => code.toLowerCase())];
}

/** What base64 makes of a text alone, whichever of three ways it lies: before it may stand something, such as a user's name. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((coding) => shifted.toString(coding).slice(start, end));
  });
}
