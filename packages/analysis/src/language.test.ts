import { expect, test } from 'vitest';
import { languageOf, stemsOf, stemTerm } from './language.ts';
import { termsIn, tokenizeIn } from './tokenize.ts';

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
  ['Chinese', '输入错误的密码以后，加载动画不会消失。'],
])('finds no stemmed language in %s', (_, text) => {
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

test('adds the stem to a word, and omits stop words', () => {
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

test('gives inflected forms one stem in the languages of their script', () => {
  expect(stemsOf('Verbindung')).toContain('~verbind');
  expect(stemsOf('соединениями')).toEqual(stemsOf('соединений'));
  for (const word of ['x', 'x86', 'a'.repeat(1000), '数据库']) expect(stemsOf(word)).toEqual([]);
});

test('leaves a word without letters to stem', () => {
  const language = languageOf(german);
  if (language === null) throw new Error('German was not detected.');
  expect(stemTerm('v1.2', language)).toBeNull();
});
