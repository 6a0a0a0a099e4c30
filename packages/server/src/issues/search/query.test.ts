import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { searchDocument, termsOf } from '../search-index/document.ts';
import { fixedCondition, hasWords, parseQuery, wordCondition } from './query.ts';

const ACCOUNT = '8d1c6e4a-0000-4000-8000-000000000001';
const { anywhere } = termsOf(ACCOUNT);
let database: TestDatabase<unknown>;

beforeAll(async () => {
  database = await createEmptyTestDatabase();
});
afterAll(() => database.drop());

/** True if PostgreSQL finds the item by the query. */
async function matches(query: string, title: string, body = ''): Promise<boolean> {
  const parsed = parseQuery(query);
  const { words } = searchDocument({ accountId: ACCOUNT, projectId: ACCOUNT, title, body });
  const fixed = fixedCondition(parsed, anywhere);
  const conditions = [
    ...parsed.words.map((word) => wordCondition(word, anywhere)),
    ...(fixed ? [fixed] : []),
  ];
  const { rows } = await sql<{ has: boolean }>`
    select ${words}::tsvector @@ ${conditions.join(' & ')}::tsquery as has
  `.execute(database.db);
  return rows[0]?.has ?? false;
}

describe('a query', () => {
  test.each([
    ['crash login', ['crash', 'login'], [], []],
    ['"login page" crash', ['crash'], [['login', 'page']], []],
    ['crash -login', ['crash'], [], [['login']]],
    ['crash -"login page"', ['crash'], [], [['login', 'page']]],
    ['“login page”', [], [['login', 'page']], []],
    ['well-known', ['well-known'], [], []],
    ['"unfinished quote', ['unfinish', 'quot'], [], []],
    ['- crash', ['crash'], [], []],
    ['crash crash', ['crash'], [], []],
    ['""', [], [], []],
    [`' & | ! ( ) : * <-> \\`, [], [], []],
  ])('%j is parsed into words, phrases and exclusions', (query, words, phrases, excluded) => {
    const parsed = parseQuery(query);
    expect(parsed.words.map(({ term }) => term)).toEqual(words);
    const terms = (groups: typeof parsed.phrases) =>
      groups.map((group) => group.map(({ terms: [term] }) => term));
    expect(terms(parsed.phrases)).toEqual(phrases);
    expect(terms(parsed.excluded)).toEqual(excluded);
  });

  test('retains its text without exclusions', () => {
    expect(parseQuery('login -"on a phone" "grey button" fails').text.replace(/\s+/g, ' ')).toBe(
      'login grey button fails',
    );
  });

  test('of several lines is a pasted text without operators', () => {
    const parsed = parseQuery('Error -1 in "main"\n -at start');
    expect(parsed).toMatchObject({ phrases: [], excluded: [] });
    expect(parsed.words.map(({ term }) => term)).toContain('main');
  });

  test('of 200 kB is parsed up to the word limit', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ');
    expect(parseQuery(text).words).toHaveLength(200);
    for (const unit of ['"', '-', '"a" ', '🔥', '日本', 'שלום ', '\u0301', ' -"']) {
      const { words, phrases } = parseQuery(unit.repeat(Math.ceil(200_000 / unit.length)));
      expect(words.length + phrases.length).toBeLessThanOrEqual(200);
    }
  });

  test.each(['', '...', '\u0301', '\0\0', '-', '"', '\ud800', '\t'])('%j contains no words', (query) => {
    expect(hasWords(parseQuery(query))).toBe(false);
  });
});

describe('an item is found', () => {
  test.each([
    ['crashes', 'App crashed at start'],
    ['cra', 'App crashed at start'],
    ['crashi', 'It is crashing'],
    ['RESUME', 'Résumé cannot be opened'],
    ['café', 'Cafe is misspelled'],
    ['ошибка', 'Ошибка при запуске'],
    ['größe', 'Die GRÖSSE stimmt, die Größe nicht'],
    ['日本語', 'メニューが日本語ではない'],
    ['日', '日本語のメニュー'],
    ['登录失败', '登录总是失败'],
    ['数据库config.yaml', '数据库的文件config.yaml不存在'],
    ['エラー', 'データ型のエラーが発生'],
    ['연결', '데이터베이스 연결을 얻지 못함'],
    ['соединение', 'Нехватка соединений с базой'],
    ['Verbindung', 'Die Verbindungen zur Datenbank sind nach der Anmeldung nicht frei'],
    ['enregistrements', 'L’enregistrement échoue dans les cas où le disque est plein'],
    ["l'enregistrement", 'Les enregistrements échouent dans les cas où le disque est plein'],
    ['FileSystem', 'fs.s3a.FileSystem is closed'],
    ['readAheadCount', 'The read-ahead count is wrong'],
    ['4.3.1', 'Since 4.3.1 it hangs'],
    ['"slow connection"', 'Login on a slow connection'],
    ['login -logout', 'Login fails'],
    [`O'Brien`, `Names like O'Brien end the form`],
    ['🔥', 'Server on 🔥'],
  ])('by %j: %j', async (query, title) => {
    expect(await matches(query, title)).toBe(true);
    expect(await matches(query, 'Something else', title)).toBe(true);
  });

  test('by a stem in the language of its prose, beside a log in English', async () => {
    const log = 'The connection was closed by the server because it was not in use for more than an hour.\n';
    const body = `Die Verbindungen sind nach der Anmeldung nicht frei.\n\n\`\`\`\n${log.repeat(5)}\`\`\``;
    expect(await matches('Verbindung', 'Fehler', body)).toBe(true);
  });

  test.each([
    ['"slow connection"', 'A slow login, a good connection'],
    ['login -logout', 'Login after logout fails'],
    ['login -"log out"', 'Login fails: log out and in'],
    ['4.3.1', 'Since 4.3.2 it hangs, as in 4.3'],
    ['crash login', 'It crashes'],
    ['cra shed', 'Crashed'],
    ['"start here"', 'It must start'],
  ])('not by %j: %j', async (query, title) => {
    expect(await matches(query, title, title === 'It must start' ? 'Here is a log.' : '')).toBe(false);
  });

  test('or not, but never with an error for any query and text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...`'"\\&|!():*<->% _-aé日\u0301🔥`), maxLength: 40 }),
    );
    const stored = text.map((value) => value.toWellFormed().replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(text, stored, async (query, body) => {
        const parsed = parseQuery(query);
        if (hasWords(parsed) || parsed.excluded.length > 0) await matches(query, body, body);
      }),
      { numRuns: 80 },
    );
  });

  test('by a word anywhere in a long text, and a megabyte of any text can be indexed', async () => {
    expect(await matches('needle', 'Log', `${'hay '.repeat(20_000)}needle`)).toBe(true);
    for (const unit of ['word ', "日'\\"]) {
      const body = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const document = searchDocument({ accountId: ACCOUNT, projectId: ACCOUNT, title: 'Long', body });
      await sql`select ${document.lead}::tsvector, ${document.words}::tsvector`.execute(database.db);
    }
    const different = Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ');
    const { words } = searchDocument({ accountId: ACCOUNT, projectId: ACCOUNT, title: '', body: different });
    await sql`select ${words}::tsvector`.execute(database.db);
  });
});
