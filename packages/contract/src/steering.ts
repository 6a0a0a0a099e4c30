/**
 * A joiner or its opposite between letters of scripts that are written with them (Arabic and its like, those of India and their
 * like), a joiner between emoji, and what makes an emoji of a sign. One at a time: a run of them could say something.
 */
const LETTER = String.raw`[\p{L}\p{M}]`;
const JOINING = String.raw`[\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}]`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;
const MEANT = [
  String.raw`(?<=${LETTER})(?<=${JOINING})[\u200c\u200d](?=${LETTER})(?=${JOINING})`,
  String.raw`(?<=${PICTURE}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=${PICTURE})`,
  String.raw`(?<=${PICTURE})\ufe0f`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
].join('|');

/**
 * Characters that steer instead of being read: controls, line ends but for the usual one among them, what is invisible or turns
 * the direction of writing, tags, and halves of pairs. What a script or an emoji is not written without is none of them.
 */
export const STEERING = new RegExp(
  String.raw`(?!(?=[\u200c\u200d\ufe0f])(?:${MEANT}))(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0])`,
  'gu',
);
