/**
 * Legitimate uses of invisible characters: joiners in Arabic and Indic scripts, joiners between
 * emoji, and emoji variation selectors. Only single characters are legitimate, because a sequence
 * could encode a hidden message.
 */
const LETTER = String.raw`[\p{L}\p{M}]`;
const LETTER_OF_JOINING_SCRIPT = String.raw`[\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}]`;
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}`;
const LEGITIMATE_USES = [
  String.raw`(?<=${LETTER})(?<=${LETTER_OF_JOINING_SCRIPT})[\u200c\u200d](?=${LETTER})(?=${LETTER_OF_JOINING_SCRIPT})`,
  String.raw`(?<=${PICTOGRAPH}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=${PICTOGRAPH})`,
  String.raw`(?<=${PICTOGRAPH})\ufe0f`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
].join('|');

/**
 * Matches invisible characters that could hide or alter a text: control characters, unusual line
 * ends, direction marks, tags and unpaired surrogates. Does not match the legitimate uses listed
 * above.
 */
export const INVISIBLE_CHARACTERS = new RegExp(
  String.raw`(?!(?=[\u200c\u200d\ufe0f])(?:${LEGITIMATE_USES}))(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0])`,
  'gu',
);
