// prose-exception-file: patterns of sentences in issues
import { MENTION } from './masked-mentions.ts';

/**
 * Direction of the dependency that a phrase states. `waits`: the issue named before the phrase
 * waits for the issue named after it. `blocks`: the other way round.
 */
type Direction = 'waits' | 'blocks';

/** A pattern of words that state a dependency between two issues. */
export interface Phrase {
  pattern: RegExp;
  direction: Direction;
  confidence: number;
  /**
   * Set for words of time, such as “after”. Such a word alone states no dependency. One of these
   * patterns must match, too: `before` the word, or `behind` its mentions.
   */
  time: { before: RegExp | null; behind: RegExp | null } | null;
}

/**
 * Builds a regular expression that matches whole words. In `source`, a space matches spaces or
 * hyphens, ` ?` matches them optionally, and `M` matches a mention.
 */
function words(source: string, flags = 'giu'): RegExp {
  const spaced = source
    .replaceAll('M', `${MENTION}+`)
    .replaceAll(' ?', '[\\s-]{0,3}')
    .replaceAll(' ', '[\\s-]{1,20}');
  return new RegExp(`(?<![\\p{L}\\p{N}_${MENTION}-])(?:${spaced})(?![\\p{L}\\p{N}_])`, flags);
}

const ADVERB =
  '(?:(?:also|already|currently|directly|effectively|entirely|fully|hard|heavily|mainly|only|partly|still|strongly|technically|noch|auch) )?';
const DONE =
  '(?:accepted|available|built|closed|complete|completed|decided|delivered|deployed|done|finished|fixed|implemented|in(?: place)?|landed|live|merged|out|over|ready|released|resolved|settled|shipped|solved|there|through|erledigt|fertig|gemergt|umgesetzt|geschlossen|terminée?|fusionnée?|hecho|terminad[oa]|list[oa])';
/** Matches the end of work, present or future: "is merged", "lands". */
const GETS_DONE = `(?:(?:is|are|gets|get|has been|have been|is finally|are both|are all|be|has|have|ist|sind|est|sont|esté?|está) ${DONE}|${DONE} (?:ist|sind|wurde)|closes|exists?|finishes|goes (?:in|live|out)|lands?|makes it in|merges?|ships?)`;
const THEN_DONE = words(
  `^\\W{0,3}(?:\\([^()]{0,60}\\)\\W{0,3})?(?:(?:both|all|finally|then|actually) )?${GETS_DONE}`,
  'iu',
);
/** Matches words for work that is not done yet. */
const TO_DO = words(
  '(?:begin|build|come|comes|continue|do|done|go|goes|happen|implement(?:ed)?|land|lands|merge(?:d)?|only|pick(?:ed)? up|plan(?:ned)?|possible|reba(?:s|sed?)|release(?:d)?|scheduled|ship(?:ped)?|start(?:ed)?|tackled?|wait(?:ing)?|work on|can|must|should|will|erst|frühestens|seulement|solo)(?![\\p{L}])[^,:]{0,60}$',
  'iu',
);
const REFUSED = words(
  "(?:nobody|no one|can ?not|can(?:no|['’])t|could ?n[o'’]t|do(?:es)? ?n[o'’]t|not|no(?:thing)?|never|won['’]t|hard|impossible|pointless|useless|makes? little sense|blocked|deferred|hold|held|parked|paused|postponed|stuck|wait(?:s|ing)?|nicht|erst|kein(?:e|en)?|impossible|pas|no se puede)(?![\\p{L}])[^.;]{0,80}$",
  'iu',
);
const OBLIGED = words(
  '(?:must|should|shall|has to|have to|had better|needs?(?: to)?|needed|required|ought to|will|land|merge|ship|finish|fix|do|done|get|want|muss|müssen|soll(?:te)?)(?![\\p{L}])[^,.;]{0,60}$',
  'iu',
);

const WAITS: readonly (readonly [source: string, confidence: number, time?: Phrase['time']])[] = [
  [`block(?:ed|s)? ${ADVERB}(?:by|on)`, 0.95],
  ['blocked(?=[\\s:(–-]{1,4}M)', 0.8],
  [`depend(?:s|ed|ing|ent)? ${ADVERB}(?:up)?on`, 0.95],
  ['(?:dependency|dependencies|dependence|reliance) on', 0.95],
  ['unblocked (?:by|once|when|after)', 0.85],
  [
    '(?:pre ?requisites?|pre ?conditions?|dependenc(?:y|ies)|blockers?|blocking (?:issues?|tickets?|tasks?)|requirements?)(?: (?:is|are|here|for this|of this|this|issues?|tickets?))*(?=[\\s:–-]{1,4}M)',
    0.92,
  ],
  [`requir(?:es?|ing)`, 0.9],
  [`needs?(?! (?:to|not|no)(?![\\p{L}]))`, 0.9],
  [`(?:wait(?:s|ing|ed)? ${ADVERB}(?:for|on|until|till)|awaits?|awaiting|pending)`, 0.92],
  [`(?:rel(?:y|ies|ying) ${ADVERB}(?:up)?on|hinges on|contingent (?:up)?on|conditional on)`, 0.92],
  [
    '(?:gated (?:by|on|behind)|held (?:up|back) by|delayed by|stuck (?:on|behind|until)|stalled (?:on|by|until)|queued behind|(?:on )?hold (?:for|until|till|pending)|parked (?:for|until|behind)|postponed (?:until|till|to after)|deferred (?:until|till|to after))',
    0.92,
  ],
  [
    '(?:(?:buil(?:ds?|t|ding)|stack(?:s|ed)|sits?|layered|bas(?:ed|es)) (?:up)?on top of|on top of|buil(?:ds?|t|ding) (?:up)?on|stacked on)',
    0.9,
  ],
  ['(?:(?:a )?follow ?up (?:to|of|from|on|for)|follows (?:on from|up on)|continuation of|continues)', 0.75],
  ['(?:presupposes?|assum(?:es|ing))', 0.75],
  [
    '(?:once|as soon as|provided(?: that)?|dès que|une fois(?: que)?|sobald|en cuanto|una vez que)',
    0.88,
    { before: /$/, behind: null },
  ],
  ["(?:until|till|unless|bis|jusqu[’']à ce que|hasta que)", 0.9, { before: REFUSED, behind: THEN_DONE }],
  ['(?:after|nach(?:dem)?|après|después de(?: que)?)', 0.85, { before: TO_DO, behind: THEN_DONE }],
  ['(?:when|wenn|quand|cuando)', 0.8, { before: null, behind: THEN_DONE }],
  ['(?:before|without|vor|ohne|sans|sin|avant)', 0.88, { before: REFUSED, behind: null }],
  [
    '(?:häng(?:t|en) (?:noch )?(?:ab )?von|abhängig von|wart(?:et?|en) (?:noch )?auf|blockiert (?:durch|von)|baut auf|aufbauend auf|benötigt|braucht|erfordert|setzt|voraussetzung(?:en)?(?: ist)?(?=[\\s:]{1,3}M)|abhängigkeiten?(?=[\\s:]{1,3}M))',
    0.92,
  ],
  [
    "(?:dépend(?:ent)? (?:de|du|des)|bloquée?s? par|nécessite|requiert|attend|s[’']appuie sur|en attente de|prérequis(?=[\\s:]{1,3}M))",
    0.92,
  ],
  [
    '(?:depende[ns]? de(?:l)?|bloquead[oa]s? por|requiere|necesita|espera a|a la espera de|requisitos? previos?(?=[\\s:]{1,3}M))',
    0.92,
  ],
];

const BLOCKS: readonly (readonly [source: string, confidence: number, time?: Phrase['time']])[] = [
  ['(?:block(?:s|ing)?(?! (?:issues?|tickets?|tasks?|by|on)(?!\\p{L}))|hold(?:s|ing) (?:up|back))', 0.93],
  [
    '(?:(?:a |the )?(?:hard )?(?:blocker|pre ?requisite|pre ?condition|precursor|dependency) (?:for|of|to|in|before)(?! (?:this|it|that)(?: issue)? is M))',
    0.93,
  ],
  [
    '(?:unblock(?:s|ing)?|enables?|paves the way (?:for|to)|(?:lays |the )?(?:groundwork|foundations?|basis) (?:for|of)|mak(?:es?|ing)(?= M possible))',
    0.9,
  ],
  [
    '(?:(?:needed|required|necessary|essential|mandatory|a must|needs? (?:this|it|that)) (?:for|by|before|in|to (?:do|build|start|finish|implement|land|fix)))',
    0.92,
  ],
  ['(?:in )?prepar(?:es|ation|ing|ed) (?:for|of)', 0.85],
  ['precedes', 0.85],
  [
    '(?:once|after|as soon as|when) (?:this|that|it)(?: \\p{L}{1,10}){0,4}?,?(?: (?:we|you|I|then|one))? can(?: (?:\\p{L}{1,10})){0,2}',
    0.85,
  ],
  [
    '(?:once|after|as soon as|when) (?:this|that|it)(?: \\p{L}{1,10}){0,4}?,?(?=\\s{1,3}M)',
    0.85,
    { before: null, behind: /^\s{0,3}(?:can|could|becomes|may|will be) /i },
  ],
  ['tak(?:es?|ing) care of', 0.7],
  ['(?:sub ?task|child(?: issue)?|sub ?issue) of', 0.75],
  ['(?:before|ahead of|prior to|vor|avant|antes de(?: que)?)', 0.87, { before: OBLIGED, behind: null }],
  [
    '(?:blockiert(?! (?:durch|von))|voraussetzung für|bloque|prérequis (?:pour|de)|bloquea(?: a)?|requisito previo (?:para|de))',
    0.9,
  ],
];

function phrasesOf(table: typeof WAITS, direction: Direction): Phrase[] {
  return table.map(([source, confidence, time = null]) => ({
    pattern: words(source),
    direction,
    confidence,
    time,
  }));
}

/** All phrases. If several match at one position, the first valid interpretation is used. */
export const PHRASES: readonly Phrase[] = [...phrasesOf(WAITS, 'waits'), ...phrasesOf(BLOCKS, 'blocks')];

/** Patterns that say a mentioned issue comes first: "#12 must be merged first". */
export const DONE_FIRST_PHRASES: readonly RegExp[] = [
  words(
    `M\\s{0,3}(?:\\([^()]{0,60}\\)\\s{0,3})?(?:must|should|shall|has to|have to|needs? to|will have to|ought to|is to|comes?|goes|lands?|is (?:needed|required|necessary)|are (?:needed|required|necessary))(?! not)[^.;?!${MENTION}]{0,60}?(?:first(?=\\s{0,3}(?:$|[.,;:!)(–-]|and|as|because|before|for|since|so|then|too))|beforehand|before (?:this|that|it|we|I|anything|the rest|here))`,
  ),
  words('(?:first M|M first)(?=[\\s,]{1,3}(?:and )?then(?!\\p{L}))'),
  words(
    '(?:do|finish|fix|land|merge|complete|have|needs?|wants?) M (?:first|before (?:this|it|that|starting|beginning|we|going on))',
  ),
  words(
    `M (?:is|are|being|remains?) (?:a |an |the |its |our |one )?(?:(?:hard|real|main|only|strict|direct) )?(?:blockers?|pre ?requisites?|pre ?conditions?|dependency|dependencies)(?! (?:of|for|to|on)(?!\\p{L}))`,
  ),
  words(`M (?:is|are) (?:needed|required|necessary)(?=\\s{0,3}(?:$|[.,;)]|here|for (?:this|it|that)))`),
  words('setzt M voraus|wird (?:von|durch) M blockiert|ohne M geht'),
];
