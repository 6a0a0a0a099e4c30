import { describe, expect, test } from 'vitest';
import { rateStrength } from './strength.ts';

const ADA = ['ada-lovelace', 'ada.lovelace@engines.example', 'Augusta King'];

describe('a password is rejected', () => {
  test.each([
    'password',
    '12345678',
    'Password1!',
    'qwertyuiop',
    'p@ssw0rd',
    'letmein123',
    'aaaaaaaaaaaa',
    'Summer2025!',
    '!!password!!',
    'ｐａｓｓｗｏｒｄ',
    'contraseña',
    'github123',
    'jira1234',
    // Passwords that look like common ones. They contain letters of other alphabets, invisible
    // characters, or letters that look alike.
    'раsswоrd',
    'pаssword',
    'pass\u200Bword',
    'pass\u00ADword',
    'p\u3164assword',
    '\u200B'.repeat(8),
    'ᴘᴀssᴡᴏʀᴅ',
    'αdmin123',
    'gra¢e2024',
    'HeIIo123',
    'rnonkey123',
    'vvelcome1',
    'mlchael1',
    // Russian words, and adjacent letters of the Russian keyboard layout.
    'йцукенгш',
    'пароль123',
    'привет123',
    'фывапролдж',
  ])('if it is common: %s', (password) => {
    expect(rateStrength(password, [])).toMatchObject({ isAccepted: false, hint: /./ });
  });

  test.each([
    'ada-lovelace',
    'ada-love',
    'lovelace1',
    'Lovelace2024!',
    'engines.example',
    'augustaking',
    'winnow2024',
    'adalovelace2026',
    'ada_lovelace',
    'lovelace-ada-1815',
    'a.d.a.l.o.v.e.l.a.c.e',
    'AdaLovelace!!',
    '4d4-l0v3l4c3-99',
    'ecalevol.ada1',
    'AugustaKing1',
    'winnow.example',
    'lоvеlасе',
    'lovеlace1',
    'łovelace',
    'lov€lace',
    'loveIace1',
    '1oveIace',
    'vvinnow2024',
    'w1nn0w2026',
    'w1nn0w19901012',
    'l\u0338ovelace',
  ])('if it contains personal data of its owner: %s', (password) => {
    expect(rateStrength(password, ADA).isAccepted).toBe(false);
  });
});

test.each([
  ['smlth2024', 'mike-smith'],
  ['arnold-2024', 'arnold'],
  ['amold2024', 'arnold'],
  ['михаил2024', 'Михаил'],
])('a password is rejected if its letters look like a name: %s for %s', (password, name) => {
  expect(rateStrength(password, [name]).isAccepted).toBe(false);
});

test.each([
  'зелёный крокодил танцует',
  'тихийЛес47бобров',
  'πράσινο ποτάμι χορεύει',
  '緑の鰐が踊る静かな夜',
  'تمساح أخضر يرقص ليلا',
  'zażółć gęślą jaźń',
  'çılgın yeşil timsah',
])('a good passphrase in another language is accepted: %s', (password) => {
  expect(rateStrength(password, ADA).isAccepted).toBe(true);
});

test.each(['k3Jx9qLm', 'correct horse battery', 'Tr0ub4dor&3', 'ada keeps her notes in brass'])(
  'a password that is hard to guess is accepted: %s',
  (password) => {
    expect(rateStrength(password, ADA).isAccepted).toBe(true);
  },
);

test('rating a long password with many replaced characters takes limited time', () => {
  const before = process.threadCpuUsage();
  rateStrength('4@8({[</369&#!1|0$5+7%2/'.repeat(9).slice(0, 200), ADA);
  rateStrength('1'.repeat(200), ADA);
  const { user, system } = process.threadCpuUsage(before);
  // Measured: 50 ms for both passwords, and 1,600 ms without the limits. Processor time is used,
  // because other programs may slow down the machine.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
