import { isId } from '@winnow/contract/primitives';
import type { ToolServices } from '../../agent-tools/index.ts';
import { AppError } from '../../platform/errors.ts';

/** End of an issue key after the project identifier: `#12`, `-12`, or `!12` for a merge request. */
const ISSUE_NUMBER = /^[#!-]\d+$/;
/** Separators between keys and words in a sentence, or in JSON within it. */
const BETWEEN_KEYS = /[\s"'“”‘’`()[\]{}<>,;:]+/;

/** The project that an execution is bound to. */
export interface OwnProject {
  accountId: string;
  projectId: string;
}

export interface PlacesOfNames {
  issues: Pick<ToolServices['issues'], 'projectNames' | 'placesOf' | 'keysIn'>;
  ledger: Pick<ToolServices['ledger'], 'idsWrittenTo'>;
}

/**
 * True if a tool call named an issue, a change or a project outside its own project. Its result may
 * then contain text from there.
 *
 * Ids decide: every result names its issues by id. Keys and identifiers count as well, because
 * errors name issues by key only. A key that exists in the own project belongs to it, even if a
 * mirror has the same key.
 *
 * `told` is the input with the result or error. Checks whole values and each word of
 * errors; with `inSentences`, each word of every value.
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

/** Returns every text that may name an issue: each nested value, and each word of an error. */
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
