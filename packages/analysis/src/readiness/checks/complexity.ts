import {
  type CheckResult,
  clampScore,
  evidenceOf,
  firstMatches,
  joinWords,
  substanceOf,
} from '../criterion-score.ts';
import { cue } from '../cue.ts';
import { desiredStateCue, requestCue, unlimitedRequestCue } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';
import { isAdjusting } from './depth.ts';

/** Parts of a product that are seldom changed together. */
const PRODUCT_PARTS: readonly { name: string; finds: ReturnType<typeof cue> }[] = [
  {
    name: 'the interface',
    finds: cue(
      'ui|screens?|pages?|dialogs?|buttons?|menus?|views?|css|tooltips?|sidebar|forms?|icons?|frontend|layout|oberfläche|écran|pantalla',
      '画面|ボタン|表示',
    ),
  },
  {
    name: 'the server',
    finds: cue(
      'servers?|backend|endpoints?|services?|workers?|jobs?|queues?|serveur|servidor',
      'サーバ|バックエンド',
    ),
  },
  { name: 'an interface for programs', finds: cue('api|rest|graphql|webhooks?|sdk|schnittstelle', 'API') },
  {
    name: 'the database',
    finds: cue(
      'databases?|tables?|columns?|schema|migrat\\w+|index(?:es)?|queries|query|sql\\w*|postgres\\w*|sqlite|datenbank|base de (?:données|datos)',
      'データベース|テーブル',
    ),
  },
  { name: 'a client', finds: cue('desktop|client|tray|installer|daemon|cli|agent', 'クライアント') },
  { name: 'mobile apps', finds: cue('mobile|android|ios|ipad|iphone', 'モバイル|スマホ') },
  {
    name: 'several platforms',
    finds: cue(
      String.raw`(?:windows|macos|linux)\b.{1,60}\b(?:windows|macos|linux)|all (?:three )?platforms|cross-platform`,
    ),
  },
  {
    name: 'sign-in',
    finds: cue(
      'sso|saml|oauth|log ?in|sign[- ]?in|sessions?|permissions?|anmeldung|authentication',
      '認証|ログイン',
    ),
  },
  { name: 'mail', finds: cue('e-?mails?|notifications?|smtp|digest', 'メール|通知') },
];

/** Maximum number of requests that do not lower the score. */
const MAX_UNPENALIZED_REQUESTS = 2;

/** Checks that the issue requests only a few changes. */
export function amountOf(reading: Reading): CheckResult {
  const { body } = reading;
  const asked = body.filter(
    ({ text, topic, kind }) =>
      topic === 'acceptance' ||
      topic === 'scope' ||
      (topic === 'approach' && kind !== 'prose') ||
      (topic !== 'steps' &&
        topic !== 'bounds' &&
        (desiredStateCue(text) || (kind !== 'prose' && requestCue(text)))),
  );
  const wide = firstMatches(reading.all, (text) => unlimitedRequestCue(text), 3);
  const count = asked.length + 2 * wide.length;
  const score = clampScore(
    (0.4 + 0.6 * (isAdjusting(reading) ? 1 : substanceOf(reading))) /
      (1 + 0.12 * Math.max(0, count - MAX_UNPENALIZED_REQUESTS)),
  );
  const things = asked.length === 1 ? 'one thing' : `${asked.length} things`;
  const note =
    asked.length === 0
      ? 'Does not list what needs to be done.'
      : `Asks for ${things}${wide.length > 0 ? ', not all of it clearly limited' : ''}.`;
  return {
    score,
    note,
    evidence: evidenceOf([...wide, ...asked]),
    fix: score === 1 ? null : 'What can be left for later?',
  };
}

/** Checks that the issue changes only one part of the product. */
export function breadthOf(reading: Reading): CheckResult {
  const parts = partsOf(reading);
  const score = clampScore(
    parts.length === 0 ? 0.5 + 0.35 * substanceOf(reading) : 1 - 0.18 * (parts.length - 1),
  );
  const note =
    parts.length === 0
      ? 'Names no part of the product.'
      : `Touches ${joinWords(parts.map(({ name }) => name))}.`;
  const fix =
    parts.length === 0
      ? 'Which part of the product changes?'
      : 'Can one of these parts be changed separately?';
  return { score, note, evidence: evidenceOf(parts.map(({ from }) => from)), fix: score === 1 ? null : fix };
}

function partsOf({ all }: Reading): { name: string; from: Statement }[] {
  return PRODUCT_PARTS.flatMap(({ name, finds }) =>
    firstMatches(all, (text) => finds(text)).map((from) => ({ name, from })),
  );
}
