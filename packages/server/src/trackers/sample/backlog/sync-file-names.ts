import type { SampleIssue } from './types.ts';

/** Names that one file system allows and another does not. */
export const syncFileNames: SampleIssue[] = [
  {
    number: 1417,
    title: 'Unicode normalization: names with umlauts appear twice between macOS and Linux',
    body: `A file named \`Übersicht.odt\` created on macOS arrives on Linux in decomposed form (U+0055 U+0308). When somebody on Linux saves it, most programs write the composed form (U+00DC). The engine treats the two as different names and uploads a second file. On macOS both then collapse to one entry and the engine flips between the two contents.

\`\`\`
$ ls | hexdump -C | grep -i bersicht
55 cc 88 62 65 72 73 69 63 68 74 2e 6f 64 74  |U..bersicht.odt|
c3 9c 62 65 72 73 69 63 68 74 2e 6f 64 74     |..bersicht.odt|
\`\`\`

Proposal: compare names in NFC everywhere, keep the bytes of whoever created the file first, migrate the journal once at start.`,
    type: 'bug',
    priority: 'high',
    labels: ['bug', 'area:engine', 'platform:macos', 'platform:linux'],
    author: 'hana-s',
    assignees: ['hana-s'],
    state: 'opened',
    createdDaysAgo: 184,
    updatedDaysAgo: 66,
    comments: [
      {
        author: 'mlindqvist',
        body: `What about pairs that exist already? We cannot merge them silently when their contents differ.`,
        daysAgo: 181,
      },
      {
        author: 'hana-s',
        body: `Same content: keep the older name, delete the other. Different content: make the newer one a conflict copy, as we do for two writers.`,
        daysAgo: 180,
      },
      { author: 'mlindqvist', body: 'Agreed.', daysAgo: 66 },
    ],
    truth: {},
  },
  {
    number: 1441,
    title: 'Files whose name ends with a space never upload from Windows',
    body: `### What happens
A file or folder with a trailing space ("Offer 2024 .docx" is fine, "Offer 2024 " is not) stays in the queue forever. No message, only the blue arrows.

### Steps to reproduce
1. Create \`\\\\?\\C:\\Users\\me\\Skua\\Invoices \` (with the space) from a command prompt, or unpack a zip that contains such a name.
2. Look at the tray menu.

### Expected
The file is uploaded, or the user is told that this name cannot be synced and why.

### Cause
\`normalize_path\` trims the last component before opening the file, so the open fails with "not found" and the item is put back at the end of the queue.

Version 4.5.1`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'area:upload', 'platform:windows'],
    author: 'okonjo-qa',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 160,
    updatedDaysAgo: 152,
    comments: [
      {
        author: 'rkowalczyk',
        body: 'The same trimming eats a trailing dot. I will handle both.',
        daysAgo: 152,
      },
    ],
    truth: {},
  },
  {
    number: 1484,
    title: 'Ordner mit Leerzeichen am Ende des Namens wird unter Windows nicht hochgeladen',
    body: `Guten Tag,

wir haben von einem Kunden ein Archiv bekommen, in dem ein Ordner \`Pläne \` heißt (mit einem Leerzeichen am Schluss). Nach dem Entpacken in den Skua-Ordner passiert nichts. Die Dateien bleiben für immer in der Warteschlange, es erscheinen die blauen Pfeile, aber keine Fehlermeldung. Benenne ich den Ordner um, ist alles nach Sekunden oben.

Erwartet hätte ich, dass entweder hochgeladen wird oder wenigstens ein Hinweis kommt, was am Namen nicht stimmt. Wir haben einen halben Tag gesucht.

Windows 10, Skua 4.5.3

Mit freundlichen Grüßen
B. Gruber`,
    type: 'bug',
    priority: null,
    labels: ['bug', 'customer', 'platform:windows'],
    author: 'bgruber',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 117,
    updatedDaysAgo: 116,
    comments: [
      {
        author: 'lena-support',
        body: 'Vielen Dank für die genaue Beschreibung, ich gebe das an die Entwicklung weiter.',
        daysAgo: 116,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1441' },
  },
  {
    number: 1528,
    title: 'Files with accents are doubled when I use Mac at home and Linux at work',
    body: `Hello team, I have a problem since long time. At home I have a Mac, in the university a Linux. When I edit a file with accent in the name, for example "Presentación.key" or "Año 2023", after some days I have it two times with exactly the same name. It is not a conflict copy, the name is the same letter by letter. On the Mac I see only one of them, and the content changes between old and new.

I lost one afternoon of work because the Mac showed me the old one and I continued with it. Files without accent are never affected.

Skua 4.6.2 on both. I can give you my account for looking.`,
    type: 'bug',
    priority: 'medium',
    labels: ['bug', 'customer'],
    author: 'carlosmdz',
    assignees: [],
    state: 'opened',
    createdDaysAgo: 72,
    updatedDaysAgo: 69,
    comments: [
      {
        author: 'lena-support',
        body: 'Could you send me the output of `ls -b` of such a folder on the Linux machine?',
        daysAgo: 70,
      },
      {
        author: 'carlosmdz',
        body: 'Yes, I sent. There are two lines, one has strange codes \\314\\201 in it.',
        daysAgo: 69,
      },
    ],
    truth: { duplicateOf: 'skua/sync#1417' },
  },
];
