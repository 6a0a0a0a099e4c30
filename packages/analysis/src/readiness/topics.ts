/** Topic of a text, according to the heading or label above it. */
export type Topic =
  | 'facts'
  | 'steps'
  | 'expected'
  | 'goal'
  | 'acceptance'
  | 'bounds'
  | 'scope'
  | 'dependencies'
  | 'approach'
  | 'questions'
  | 'size'
  | 'surroundings'
  | 'notes';

const STEPS_TO_REPRODUCE =
  /\b(?:steps|repro\w*|how to get there|what (?:did you do|i did)|schritte|reproduzier\w*|étapes|reproduire|pasos|reproducir)\b|^\W{0,9}str\W{0,9}$|再現|手順/imu;

/**
 * True if a text may contain a heading about steps to reproduce. A quick check before parsing the
 * text.
 */
export function mentionsSteps(text: string): boolean {
  return STEPS_TO_REPRODUCE.test(text);
}

/**
 * The first matching pattern determines the topic. For example, “out of scope” must precede
 * “scope”.
 */
const TOPIC_PATTERNS: readonly [Topic, RegExp][] = [
  [
    'bounds',
    /\b(?:out of scope|non[- ]?goals?|not (?:in scope|included|part of|to be done)|exclu|hors (?:de )?(?:périmètre|portée)|nicht (?:enthalten|im umfang|teil)|abgrenzung|fuera de(?:l)? alcance)|対象外|範囲外/iu,
  ],
  [
    'acceptance',
    /\b(?:accept\w*|definition of done|done when|success criteri\w*|requirements?|tests?|test ?(?:plan|cases?)|verif\w+|how to (?:test|verify|check)|akzeptanz\w*|abnahme\w*|fertig,? wenn|critères?|crit[eè]res d.acceptation|criterios?|anforderungen|exigences|requisitos)\b|受け入れ|受入|完了条件|要件/iu,
  ],
  [
    'expected',
    /\b(?:expected|expect|desired|wanted|should (?:have )?happen|what should|erwartet\w*|soll(?:verhalten|ergebnis|zustand)|attendu\w*|esperad\w+)\b|期待|あるべき/iu,
  ],
  ['steps', STEPS_TO_REPRODUCE],
  [
    'dependencies',
    /\b(?:depend\w*|block(?:ed|ers?|ing)\w*|prerequisites?|needs first|waits? for|related|relates|abhängig\w*|voraussetzung\w*|dépend\w*|prérequis)\b|依存|前提/iu,
  ],
  [
    'questions',
    /\b(?:questions?|unclear|unknowns?|to (?:be )?(?:clarif\w+|decided?|discuss)|tb[dc]|offene? (?:fragen|punkte)|unklar|à clarifier|preguntas)\b|未定|不明|質問/iu,
  ],
  [
    'size',
    /\b(?:estimat\w*|size|effort|story points?|aufwand|schätzung|effort estimé|estimación)\b|見積|工数/iu,
  ],
  [
    'approach',
    /\b(?:approach|solution|implement\w*|proposal|proposed|suggest\w*|plan|design|technical|how|idea|cause|fix|analysis|diagnosis|tasks?|to ?dos?|where|hints?|pointers?|decision|umsetzung|lösung\w*|ansatz|vorschlag|ursache|mise en œuvre|solución|enfoque|propuesta|causa)\b|方法|対応|実装|原因|解決|設計|方針/iu,
  ],
  [
    'goal',
    /\b(?:goal|objective|motivation|why|purpose|value|impact|benefit|user story|story|use case|rationale|need|ziel|zweck|warum|nutzen|auswirkung|objectif|objetivo|motivo)\b|目的|目標|背景|理由|影響/iu,
  ],
  ['scope', /\b(?:scope|in scope|what to do|umfang|périmètre|alcance)\b|範囲|対象/iu],
  [
    'surroundings',
    /\b(?:environment|version|versions|system|platform|os|browser|logs?|log output|stack ?trace|screenshots?|attachments?|umgebung|protokoll|environnement|entorno)\b|環境|ログ|バージョン/iu,
  ],
  [
    'facts',
    /\b(?:actual|what happen\w*|current\w*|observed|bug|describe|description|summary|problem|issue|overview|details|went wrong|instead|context|background|tatsächlich\w*|problem\w*|beschreibung|fehlerbild|résultat|problème|contexte|comportement|problema|descripción|contexto)\b|問題|現象|概要|現状|実際|内容/iu,
  ],
  [
    'notes',
    /\b(?:notes?|additional|other|anything|workarounds?|misc|remarks?|hinweis\w*|notizen|remarques?|notas?)\b|備考|補足|その他/iu,
  ],
];

/** Maximum length of a label such as “Expected:”, in UTF-16 code units. */
const MAX_LABEL_CHARS = 60;
/** Maximum length of a line without punctuation that counts as a heading. */
const MAX_LEAD_LINE_CHARS = 40;
/**
 * A short line about one of these topics counts as a heading. For other topics, it may be a
 * sentence.
 */
const HEADING_TOPICS: ReadonlySet<Topic> = new Set([
  'bounds',
  'acceptance',
  'expected',
  'steps',
  'dependencies',
  'questions',
  'approach',
  'goal',
  'scope',
]);
const LINE_LABEL =
  /^[*_]{0,3}([\p{L}\p{N}][^:：*_\n]{0,59})(?:[*_]{1,3}[:：]|[:：][*_]{0,3})(?=\s|$|\P{ASCII})/u;
/**
 * Matches bold words at the start of a line, as in `**Out of scope.** Prices`. They are a label if
 * they name a topic.
 */
const BOLD_START = /^(?:\*\*|__)([^*_\n]{2,60})(?:\*\*|__)[:：]?(?=\s)/;
const BOLD_LABEL_LINE = /^(?:\*\*|__)([^*_\n]{2,80})(?:\*\*|__)[:：]?$/;

/** Returns the topic that a heading or label names. Null if it names none. */
export function topicOfWords(words: string): Topic | null {
  const short = words.slice(0, 2 * MAX_LABEL_CHARS);
  return TOPIC_PATTERNS.find(([, pattern]) => pattern.test(short))?.[0] ?? null;
}

/**
 * Returns the topic of a line's label, and the length of the label. If the line is only a label,
 * the length is that of the line.
 */
export function labelOf(line: string): { topic: Topic | null; length: number } | null {
  const indent = line.length - line.trimStart().length;
  const text = line.slice(indent, indent + 3 * MAX_LABEL_CHARS);
  const bold = BOLD_LABEL_LINE.exec(text.trimEnd());
  if (bold) return { topic: topicOfWords(bold[1] ?? ''), length: line.length };
  const start = BOLD_START.exec(text);
  const named = start === null ? null : topicOfWords(start[1] ?? '');
  if (start !== null && named !== null) return { topic: named, length: indent + start[0].length };
  const label = LINE_LABEL.exec(text);
  if (!label) return null;
  const words = label[1] ?? '';
  const isAlone = text.slice(label[0].length).trim() === '';
  if (!isAlone && words.split(/\s+/).length > 4) return null;
  const topic = topicOfWords(words);
  if (topic === null && !isAlone) return null;
  return { topic, length: indent + label[0].length };
}

/**
 * Returns the topic of a short line without punctuation, such as “Steps”. Null for all other lines.
 */
export function topicOfLead(line: string): Topic | null {
  const text = line.trim();
  if (text.length > MAX_LEAD_LINE_CHARS || text.split(/\s+/).length > 4 || /[.!?。！？]$/u.test(text))
    return null;
  const topic = topicOfWords(text);
  return topic !== null && HEADING_TOPICS.has(topic) ? topic : null;
}
