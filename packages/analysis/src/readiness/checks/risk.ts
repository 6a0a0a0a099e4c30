import {
  type CheckResult,
  clampScore,
  evidenceOf,
  firstMatches,
  joinWords,
  substanceOf,
} from '../criterion-score.ts';
import { cue } from '../cue.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';
import { dependenceOf } from './dependencies.ts';

/** Areas of a product in which a mistake causes damage. */
const AREAS: readonly { name: string; finds: ReturnType<typeof cue> }[] = [
  {
    name: 'stored data',
    finds: cue(
      String.raw`data ?loss|los(?:e|es|t|ing) (?:\p{L}+ ){0,3}(?:data|files?|changes|edits|work)|delet\w+|overwrit\w+|corrupt\w*|wip(?:e|es|ed|ing)|backups?|restor\w+|purg\w+|retention|datenverlust|lösch\w+|perte|supprim\w+|pérdida|borr\w+`,
      '削除|データ|消失|上書き',
    ),
  },
  {
    name: 'money',
    finds: cue(
      'payments?|invoic\\w+|billing|billed|charg(?:e|es|ed|ing)|refunds?|prices?|pricing|vat|tax(?:es)?|credit cards?|subscriptions?|rechnung\\w*|zahlung\\w*|facture\\w*|paiement\\w*|factura\\w*|pagos?',
      '請求|支払|課金|決済',
    ),
  },
  {
    name: 'security and sign-in',
    finds: cue(
      String.raw`security|vulnerab\w+|cve-\d+-\d+|log ?in|logins?|sign[- ]?in|passwords?|passkeys?|tokens?|sessions?|auth\w*|sso|saml|oauth|permissions?|access rights?|privileges?|encrypt\w*|decrypt\w*|certificates?|secrets?|xss|csrf|injection|privacy|gdpr|anmeld\w+|passw\w+|sicherheit\w*|mot de passe|sécurité|contraseña|seguridad`,
      'ログイン|認証|パスワード|権限|セキュリティ|暗号',
    ),
  },
  {
    name: 'a migration',
    finds: cue(
      String.raw`migrat\w+|schema|backfill\w*|(?:data|file|storage|journal|database) format|convert(?:s|ed|ing)? (?:all|every|the|existing)|existing (?:rows|records|data|files|accounts|users)|upgrad(?:e|es|ing) (?:the |to )?(?:database|postgres\w*|mysql|sqlite)|datenbankschema`,
      '移行|マイグレーション|スキーマ',
    ),
  },
  {
    name: 'a public interface',
    finds: cue(
      String.raw`public api|(?:rest|graphql|web) ?api|api (?:clients?|consumers?|version|change)|breaking change|backwards? compat\w+|deprecat\w+|webhooks?|protocol|sdk|integrations?|(?:get|post|put|patch|delete) \/\S+|schnittstelle|api publique`,
      '公開API|互換|プロトコル',
    ),
  },
  {
    name: 'something that all users depend on',
    finds: cue(
      String.raw`(?:all|every) (?:users?|customers?|clients?|accounts?|tenants?|requests?|organi[sz]ations?|installations?)|everybody|everyone|outage|downtime|production|whole (?:service|server|site|fleet)|rate limits?|load balanc\w+|alle (?:nutzer|kunden)|tous les (?:utilisateurs|clients)|todos los (?:usuarios|clientes)`,
      '全ユーザ|全員|本番|障害',
    ),
  },
];

const FOR_GOOD = cue(
  String.raw`irrevers\w+|for good|permanent\w*|cannot be (?:undone|reverted|restored|taken back)|can['’]t be (?:undone|reverted)|one[- ]way|delet(?:e|es|ed|ing)|drop(?:s|ped|ping)? (?:the|a|support|table|column)|remov(?:e|es|ing) (?:the |a )?(?:old|column|table|support|endpoint|field|setting)|migrat\w+|convert\w*|overwrit\w+|purg\w+|renam(?:e|es|ing) (?:the )?(?:column|table|field|endpoint|api)|e-?mails? (?:to )?(?:all|every)|breaking change|encrypt\w*|unwiderruflich|endgültig|lösch\w+|définitif|irréversible|irreversible|definitiv\w+`,
  '削除|不可逆|元に戻せ|移行',
);
const TAKEN_BACK = cue(
  String.raw`feature flag|behind a (?:flag|setting|switch)|roll(?:ed|s|ing)? ?back|revert\w*|undo\w*|restor\w+|backups?|opt[- ]in|switch(?:ed)? off|turn(?:ed)? off|gradual\w*|staged|canary|reversible|dry[- ]run|keeps? (?:the )?old|kept for|trash|both (?:old|versions)|rückgängig|zurückroll\w*|abschaltbar|annul\w+|réversible|reversible|deshacer`,
  'ロールバック|元に戻|フラグ|復元|切り替え',
);

/** Returns the sensitive areas that an issue touches. Each has the statement that shows it. */
function areasOf({ all }: Reading): { name: string; from: Statement }[] {
  return AREAS.flatMap(({ name, finds }) =>
    firstMatches(all, (text) => finds(text)).map((from) => ({ name, from })),
  );
}

/** Checks that the issue touches no area in which a mistake causes damage. */
export function blastRadiusOf(reading: Reading): CheckResult {
  const areas = areasOf(reading);
  if (areas.length === 0) {
    const score = clampScore(0.5 + 0.5 * substanceOf(reading));
    const fix = 'Does it touch stored data, money, sign-in or a public interface?';
    return {
      score,
      note: 'Touches no sensitive areas.',
      evidence: [],
      fix: score === 1 ? null : fix,
    };
  }
  return {
    score: clampScore(1 / (1 + 0.6 * areas.length)),
    note: `Touches ${joinWords(areas.map(({ name }) => name))}.`,
    evidence: evidenceOf(areas.map(({ from }) => from)),
    fix: `What protects ${areas[0]?.name ?? 'it'} if it goes wrong?`,
  };
}

/** Checks that the change can be undone. */
export function reversibilityOf(reading: Reading): CheckResult {
  const back = firstMatches(reading.all, (text) => TAKEN_BACK(text));
  const forGood = firstMatches(reading.all, (text) => FOR_GOOD(text), 2);
  if (back.length > 0) {
    const score = forGood.length > 0 ? 0.75 : 1;
    const fix = score === 1 ? null : 'Does the rollback cover everything that is deleted or converted?';
    return {
      score,
      note: 'States how it can be reverted.',
      evidence: evidenceOf([...back, ...forGood]),
      fix,
    };
  }
  if (forGood.length > 0) {
    const note = 'Deletes or converts something without a stated rollback.';
    return {
      score: 0.3,
      note,
      evidence: evidenceOf(forGood),
      fix: 'How is it rolled back if it goes wrong?',
    };
  }
  const score = clampScore(0.5 + 0.35 * substanceOf(reading));
  return {
    score,
    note: 'Nothing in it looks irreversible.',
    evidence: [],
    fix: 'How is it switched off or rolled back?',
  };
}

/** Checks that the issue needs nothing from people or systems outside the team. */
export function outsideOf(reading: Reading): CheckResult {
  const { none, on, outside } = dependenceOf(reading);
  if (none.length > 0) {
    return { score: 1, note: 'States that it has no dependencies.', evidence: evidenceOf(none), fix: null };
  }
  if (outside.length + on.length === 0) {
    const score = clampScore(0.6 + 0.4 * substanceOf(reading));
    const fix = score === 1 ? null : 'Is anyone outside the team involved?';
    return { score, note: 'Names no one outside the team.', evidence: [], fix };
  }
  const score = clampScore((outside.length > 0 ? 0.45 : 0.65) - 0.1 * (on.length + outside.length - 1));
  const note =
    outside.length > 0 ? 'Involves someone or something outside the team.' : 'Depends on something else.';
  return { score, note, evidence: evidenceOf([...outside, ...on]), fix: 'Who delivers that, and by when?' };
}
