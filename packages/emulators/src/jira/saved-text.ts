import { isObject, type JsonObject } from '../http/json.ts';

/**
 * Converts a text to the form in which Jira's own editor stores it. Data Center uses CRLF line
 * ends, removes spaces at line ends, and replaces numeric escapes by backslash escapes. Cloud adds
 * ids to paragraphs, joins texts with the same formatting, and removes attributes without a value.
 */
export function savedText(text: unknown): unknown {
  if (typeof text === 'string') return savedMarkup(text);
  return isObject(text) ? savedNode(text, 'doc') : text;
}

function savedMarkup(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(/&#(\d+);/g, (entity, code: string) => {
      const sign = String.fromCodePoint(Number(code));
      return /[*_+^~#-]/.test(sign) ? `\\${sign}` : entity;
    })
    .replaceAll('\n', '\r\n');
}

function savedNode(node: JsonObject, place: string): JsonObject {
  const { attrs, content, marks, ...rest } = node;
  const nodes = Array.isArray(content) ? joined(content.filter(isObject)) : undefined;
  const given = isObject(attrs) ? attrs : {};
  const identified = node.type === 'paragraph' ? { localId: place, ...given } : given;
  return {
    ...rest,
    ...(Object.keys(identified).length === 0 ? {} : { attrs: identified }),
    ...(Array.isArray(marks) && marks.length > 0 ? { marks } : {}),
    ...(nodes === undefined
      ? {}
      : { content: nodes.map((child, index) => savedNode(child, `${place}-${index}`)) }),
  };
}

function joined(nodes: readonly JsonObject[]): JsonObject[] {
  const result: JsonObject[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    const isSameLook = last?.type === 'text' && node.type === 'text' && lookOf(last) === lookOf(node);
    if (isSameLook) result[result.length - 1] = { ...last, text: `${last.text}${node.text}` };
    else result.push(node);
  }
  return result;
}

function lookOf({ marks }: JsonObject): string {
  return JSON.stringify(marks ?? []);
}
