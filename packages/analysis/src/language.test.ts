import { expect, test } from 'vitest';
import { languageOf, languageOfIssue, languagesOfWord, stemTerm } from './language.ts';
import { stemsOf, termsIn, tokenize, tokenizeIn } from './tokenize.ts';

const german =
  'Die Anzeige dreht sich nach der Eingabe eines falschen Passworts weiter, wenn man sich vertippt.';

test.each([
  ['a short text', 'Fehler beim Export'],
  ['English', 'The page does not load when it is opened for the first time, so we have to reload it.'],
  [
    'English with a quoted error',
    'The import fails with "Die Datei ist nicht gefunden" and then it stops in the log.',
  ],
  [
    'a stack trace',
    'java.io.IOException: no such file at de.example.Main.run(Main.java:1) at es.example.El.call(El.java:2)',
  ],
  [
    'Italian',
    'La pagina non si carica dopo il login. Quando si apre la lista delle segnalazioni, il server non risponde.',
  ],
  [
    'Italian without English words',
    'Il pulsante per esportare i dati non funziona più. Il file che si scarica è vuoto e la tabella non appare.',
  ],
  [
    'Catalan',
    'La pàgina no es carrega després de l’inici de sessió. Quan s’obre la llista, el servidor no respon.',
  ],
  [
    'Catalan with Spanish words',
    'El botó per exportar les dades no funciona. El fitxer que es baixa és buit i a la taula no hi ha res.',
  ],
  ['Dutch', 'De pagina wordt niet geladen als je een verkeerd wachtwoord hebt ingevuld en op de knop drukt.'],
  ['Swedish', 'Sidan laddas inte om när man har skrivit fel lösenord, och det går inte att logga in.'],
  ['Romanian', 'Pagina nu se încarcă după ce am introdus o parolă greșită și nu mai pot să ies din cont.'],
  ['Chinese', '输入错误的密码以后，加载动画不会消失。'],
])('detects no stemmed language in %s', (_, text) => {
  expect(languageOf(text)).toBeNull();
});

test.each([
  ['German', german],
  [
    'French',
    'Après la saisie d’un mauvais mot de passe, le chargement ne s’arrête pas et les pages sont vides.',
  ],
  ['Spanish', 'Después de escribir una contraseña equivocada la página sigue cargando y no pasa nada.'],
  ['Portuguese', 'Depois de digitar uma senha errada a página continua carregando e não é possível sair.'],
  ['Russian', 'Ошибка входа'],
])('detects %s', (name, text) => {
  expect(languageOf(text)?.name).toBe(name);
});

test.each([
  [
    'three stop words of twenty words',
    'die auf und Anzeige Passwort Eingabe Fehler Export Menü Speicher Bild Liste Tabelle Server Seite Titel Konto Projekt Rolle Datei',
    true,
  ],
  ['a smaller share', `die auf und ${'Anzeige Passwort Eingabe '.repeat(6)}`, false],
  ['1.5 times the English ones', `die auf und Fehler the on`, false],
  ['more than that', `die auf und oder Fehler the on`, true],
])('detects a language by the share of its stop words: %s', (_, text, isDetected) => {
  expect(languageOf(text)?.name).toBe(isDetected ? 'German' : undefined);
});

const form = `<!-- Thank you for the report. Please fill in all of the fields below. -->
### Which version of the product are you using?
4.1
**What have you been doing before it happened?**
${german}
- [x] I have searched for the same problem in all of the other reports
- [ ] I would like to be notified when this has been fixed
### Is there anything else that we should know about this?
Nein`;

test('ignores the headings, checkboxes and comments of an issue form', () => {
  expect(languageOf(form)?.name).toBe('German');
  expect(languageOfIssue({ title: 'Anzeige dreht sich', body: form })?.name).toBe('German');
  expect(languageOf(form.replaceAll(/^(?:#+|- \[.\]) |\*\*/gm, ''))).toBeNull();
});

test('reads a French word without the article that is joined to it', () => {
  const french = languageOf('Après la saisie d’un mauvais mot de passe, les pages et les images sont vides.');
  expect(french?.name).toBe('French');
  const [stem] = termsIn('enregistrements', 1, french).slice(-1);
  for (const mark of ["'", '’']) {
    expect(termsIn(`d${mark}un l${mark}enregistrement`, 9, french)).toEqual(['enregistrement', stem]);
    expect(termsIn(`Qu${mark}elle aujourd${mark}hui`, 9, french)).toContain(`aujourd${mark}hui`);
    expect(termsIn(`l${mark}enregistrement`, 9)).toContain(`l${mark}enregistrement`);
  }
});

test('adds the stem as a term of a word, and omits stop words', () => {
  const language = languageOf(german);
  expect(termsIn('die Verbindungen zur readAheadCount 4.1.2', 100, language)).toEqual([
    'verbindungen',
    '~verbind',
    'readaheadcount',
    'read',
    'ahead',
    'count',
    '4.1.2',
    '4.1',
  ]);
  const [word] = tokenizeIn('Größe', language);
  expect(word?.terms).toEqual(['große', '~gross']);
});

test('inflected forms have the same stem in the languages of their script', () => {
  const stems = (word: string) =>
    [...tokenize(word)].flatMap(({ terms }) => stemsOf(word, terms, languagesOfWord(word)));
  expect(stems('Verbindung')).toContain('~verbind');
  expect(stems('соединениями')).toEqual(stems('соединений'));
  expect(stems('l’enregistrement')).toEqual(['~enregistr']);
  for (const word of ['x', 'x86', 'readAhead', 'a'.repeat(1000), '数据库']) expect(stems(word)).toEqual([]);
});

test('a word with characters other than letters has no stem', () => {
  const language = languageOf(german);
  if (language === null) throw new Error('German was not detected.');
  expect(stemTerm('v1.2', language)).toBeNull();
});
