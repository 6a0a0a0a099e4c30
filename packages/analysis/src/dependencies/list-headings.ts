/**
 * Relation that a heading states between an issue and the issues listed under it. The issue waits
 * for them (`waits`), blocks them (`blocks`) or consists of them (`parts`). `other` states none of
 * these, and `open` states nothing.
 */
export type HeadingMeaning = 'waits' | 'blocks' | 'parts' | 'open' | 'other';

const WAITS_LEAD =
  /^(?:(?:hard|open|external|known|our|its|my|current|remaining) )*(?:abhängigkeit(?:en)?|abhängig von|attend|bloquée? par|bloquead[oa] por|block(?:ed|iert)(?: (?:by|on|durch|von))?|blockers?|blocking (?:issues?|tickets?|tasks?)|dépendances?|dépend de|depende de|dependencias?|depends[ -]on|dependenc(?:y|ies)|hängt ab von|needs(?: first)?|pre-?conditions?|pre-?requisites?|prérequis|requires|requisitos? previos?|to be done (?:first|before)|must be done (?:first|before)|voraussetzung(?:en)?|wait(?:s|ing)(?: (?:for|on))?|wartet auf|builds? on|before (?:this|we)(?: can)? (?:start|begin))(?![\p{L}])/u;
const BLOCKS_LEAD =
  /^(?:bloque|bloquea|blockiert|blocks|blocking|dependents?|enables|needed (?:for|by)|pre-?requisites? (?:for|of)|required (?:for|by)|unblocks)(?![\p{L}])/u;
const PARTS_LEAD =
  /^(?:(?:open|remaining|the) )*(?:aufgaben|breakdown|checklist|child(?:ren)?(?: issues| tasks)?|issues|milestones?|parts|phases?|plan|pieces|progress|roadmap|sous-tâches|stages?|steps|stories|sub-?issues|sub-?tasks|subtareas|tâches|tareas|tasks?(?: list)?|teilaufgaben|to-?dos?|tracked(?: in| issues| by)?|tracking|work items)(?![\p{L}])/u;
const OTHER_LEAD =
  /accept|akzeptanz|after|already|alternativ|background|changelog|context|criteri|definition|done when|duplicate|expected|follow|history|ideas?$|later|link|nice to have|not |out of|refer|related|reproduce|scope|see also|siehe|similar|test|verwandt|voir aussi/u;

/**
 * Interprets a heading or label, given in lower case. Returns `open` if it has no known meaning.
 */
export function headingMeaning(words: string): HeadingMeaning {
  if (BLOCKS_LEAD.test(words) && !/^blocking (?:issue|ticket|task)/.test(words)) return 'blocks';
  if (WAITS_LEAD.test(words)) return 'waits';
  if (PARTS_LEAD.test(words) && !OTHER_LEAD.test(words.replace(/^\S+/, ''))) return 'parts';
  return OTHER_LEAD.test(words) ? 'other' : 'open';
}
