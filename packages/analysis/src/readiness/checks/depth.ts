import { type CheckResult, clampScore, evidenceOf, firstMatches } from '../criterion-score.ts';
import { cue } from '../cue.ts';
import type { Reading } from '../read-issue.ts';

const DEEP = cue(
  String.raw`rewrit\w+|re-?design\w*|re-?architect\w*|from scratch|migrat\w+|protocol|encrypt\w*|cryptograph\w*|concurren\w+|race condition|deadlock\w*|distributed|consisten\w+|transaction\w*|real[- ]?time|offline|conflict\w*|merg(?:e|ing)|file system|kernel|driver|delta|dedup\w*|sharding|replicat\w+|scal(?:e|ing|ability)|performance|memory leak|algorithm|parser|engine|framework|new (?:service|engine|format|protocol|subsystem|architecture)|single sign-on|saml|scim|end-to-end|neu (?:schreiben|entwickeln)|umbau|réécri\w+|reescrib\w+`,
  '全面|作り直|暗号|並行|移行|プロトコル|設計変更',
);
const SHALLOW = cue(
  `typos?|wording|texts?|labels?|tooltips?|colou?rs?|icons?|spelling|translations?|copy|documentation|docs|readme|comments?|log (?:level|message|line)s?|default (?:value|is)|placeholders?|links?|margins?|padding|alignment|font|rename|setting|timeout|one[- ]lin(?:e|er)|tippfehler|beschriftung|farbe|faute de frappe|libellé|errata|etiqueta`,
  '誤字|文言|ラベル|色|アイコン|ドキュメント',
);

/** True if the title announces a small change, such as a typo or a label. */
export function isAdjusting({ title }: Reading): boolean {
  return title !== null && SHALLOW(title.text) && !DEEP(title.text);
}

/** Checks that the issue only adjusts existing behavior, without deep changes. */
export function depthOf(reading: Reading): CheckResult {
  const deep = firstMatches(reading.all, (text) => DEEP(text), 3);
  const shallow = firstMatches(reading.all, (text) => SHALLOW(text), 2);
  const isShallow = isAdjusting(reading);
  const score = clampScore(0.75 + (isShallow ? 0.25 : 0.1 * shallow.length) - 0.2 * deep.length);
  const note =
    deep.length > 0
      ? 'Includes deep changes.'
      : shallow.length > 0
        ? 'Adjusts existing behavior.'
        : 'Does not indicate how deep the change goes.';
  const fix = 'Can it be done without touching the delicate parts?';
  return { score, note, evidence: evidenceOf([...deep, ...shallow]), fix: score === 1 ? null : fix };
}
