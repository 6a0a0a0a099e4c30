import { isId } from '@winnow/contract/primitives';
import type { ToolServices } from '../../agent-tools/index.ts';
import { AppError } from '../../platform/errors.ts';

/**
 * Matches the part of an issue key after the project identifier: `#12`, `-12`, or `!12` for a merge
 * request.
 */
const ISSUE_NUMBER = /^[#!-]\d+$/;
/** Matches separators between keys and words in a sentence, or in JSON within a sentence. */
const BETWEEN_KEYS = /[\s"'“”‘’`()[\]{}<>,;:]+/;

/** The project in which an execution runs. */
export interface OwnProject {
  accountId: string;
  projectId: string;
}

export interface PlacesOfNames {
  issues: Pick<ToolServices['issues'], 'projectNames' | 'placesOf' | 'keysIn'>;
  ledger: Pick<ToolServices['ledger'], 'idsWrittenTo'>;
}

/**
 * True if a tool call names an issue, a change or a project outside the execution's own project.
 * The result may then contain text from there.
 *
 * Every result contains the ids of its issues, so ids are checked first. Keys and project
 * identifiers are checked too, because errors name issues only by key. A key that exists in the own
 * project is attributed to it, even if a mirror has the same key.
 *
 * `told` contains the input and the result or error. Values are compared as a whole; errors are
 * split into words. With `inSentences`, all values are split into words.
 */
export async function namesOtherProject(
  { issues, ledger }: PlacesOfNames,
  { accountId, projectId }: OwnProject,
  told: unknown,
  { inSentences = false }: { inSentences?: boolean } = {},
): Promise<boolean> {
  const projects = await issues.projectNames(accountId);
  const own = projects.find((project) => project.id === projectId);
  if (own !== undefined && projects.length === 1) return false;
  const texts = inSentences ? splitWords(textsIn(told)) : textsIn(told);

  const ids = [...new Set(texts.filter(isId))];
  const places = await issues.placesOf(accountId, [...ids, ...(await ledger.idsWrittenTo(accountId, ids))]);
  if ([...places.values()].some((place) => place.project_id !== projectId)) return true;

  const named = texts.flatMap((text) =>
    projects.flatMap(({ id, identifier }) => {
      const rest = text.startsWith(identifier) ? text.slice(identifier.length) : null;
      const isName = rest !== null && (rest === '' || ISSUE_NUMBER.test(rest));
      return isName && id !== projectId ? [{ key: text, identifier, isKey: rest !== '' }] : [];
    }),
  );
  if (named.some(({ identifier }) => identifier !== own?.identifier)) return true;
  const shared = [...new Set(named.filter(({ isKey }) => isKey).map(({ key }) => key))];
  return shared.length > 0 && (await issues.keysIn(accountId, projectId, shared)).length < shared.length;
}

/** Returns all texts that may be names: each nested value, and each word of an error. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()];
  if (value instanceof AppError) {
    return splitWords([
      value.detail,
      ...(value.fields ?? []).flatMap(({ path, message }) => [path, message]),
    ]);
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function splitWords(sentences: readonly string[]): string[] {
  return sentences
    .flatMap((sentence) => sentence.split(BETWEEN_KEYS))
    .map((word) => word.replace(/\.+$/, ''));
}
