import type { ToolServices } from '../../agent-tools/tool.ts';
import { AppError } from '../../platform/errors.ts';

/** What stands between the identifier of a project and the number in a key: of an issue, or of GitLab's merge requests. */
const NUMBER = /^[#!-]\d+$/;
/** What keys are set off by within a sentence, or within JSON in it. */
const BETWEEN_KEYS = /[\s"'“”‘’`()[\]{}<>,;:]+/;

/**
 * Whether what came of a call names another project than this one, or an issue of it, so that it may hold what stands there:
 * as a value by itself, or `inSentences`, as those of a refusal are searched always.
 */
export async function namesElsewhere(
  { issues }: { issues: Pick<ToolServices['issues'], 'projectNames'> },
  accountId: string,
  projectId: string,
  told: unknown,
  { inSentences = false }: { inSentences?: boolean } = {},
): Promise<boolean> {
  const others = (await issues.projectNames(accountId)).filter(({ id }) => id !== projectId);
  if (others.length === 0) return false;
  const texts = textsIn(told);
  return (inSentences ? wordsOf(texts) : texts).some((text) =>
    others.some(({ identifier }) => {
      const rest = text.startsWith(identifier) ? text.slice(identifier.length) : null;
      return rest !== null && (rest === '' || NUMBER.test(rest));
    }),
  );
}

/** What may name an issue: every text that is a value by itself, however deep, and every word of a refusal. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()];
  if (value instanceof AppError) {
    return wordsOf([value.detail, ...(value.fields ?? []).map(({ message }) => message)]);
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function wordsOf(sentences: readonly string[]): string[] {
  return sentences
    .flatMap((sentence) => sentence.split(BETWEEN_KEYS))
    .map((word) => word.replace(/\.+$/, ''));
}
