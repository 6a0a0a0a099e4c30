import { describe, expect, test } from 'vitest';
import { cleanBody, cleanWithErrors, normalizeText, textForEmbedding } from './clean.ts';

describe('cleanBody preserves the text of the author', () => {
  test.each([
    'at first the page loads, then it stays white',
    'at startup (see below) the server waits for the broker',
    'Use List<String> and Map<K, V> instead of raw types',
    'The value is #12 in the list',
    'Version 2.3.1 works, 2.4.0 does not',
    'Error handling should be better documented',
    'Please support CVE-2022-40149 scanning',
    'Steps to reproduce are missing from the template',
  ])('%s', (line) => {
    expect(cleanBody(line)).toBe(line);
  });

  test('preserves the words of links, code, quotes and list items, without their marks', () => {
    const body =
      '## Fix it\n- [ ] use **bold** `code` and [the guide](https://example.com/x)\n> quoted words';
    expect(cleanBody(body)).toBe('Fix it\nuse bold code and the guide\nquoted words');
  });

  test('cleanBody returns the same text for Jira markup and Markdown', () => {
    const jira =
      'h2. Broken login\n\n{code:java}\nlogin(user)\n{code}\n* see [docs|https://a.example/b]\n!shot.png|thumbnail!';
    const markdown =
      '## Broken login\n\n```java\nlogin(user)\n```\n- see [docs](https://a.example/b)\n![](https://a.example/shot.png)';
    expect(cleanBody(jira)).toBe(cleanBody(markdown));
    expect(cleanBody(jira)).toBe('Broken login\nlogin(user)\nsee docs');
  });

  test('cleanBody removes HTML tags, decodes entities and turns blocks into lines', () => {
    expect(cleanBody('<p>One &amp; <b>two</b></p><div>three &lt;x&gt;</div><!-- hidden\nnote -->four')).toBe(
      'One & two\nthree <x>\nfour',
    );
  });

  test('cleanBody preserves text after an HTML comment that is not closed', () => {
    expect(cleanBody('before <!-- after')).toBe('before <!-- after');
  });
});

describe('cleanBody drops lines that say nothing about the issue', () => {
  test.each([
    ['Java', '\tat org.acme.Store.read(Store.java:12)'],
    ['Java in a log', '[ERROR]   at org.acme.Store.read(Store.java:12)'],
    ['Java, native', 'at sun.nio.ch.Net.poll(Native Method)'],
    ['Java, cut off', '\t... 23 more'],
    ['JavaScript', '    at Object.<anonymous> (/srv/app/index.js:10:5)'],
    ['JavaScript, bare', '    at /srv/app/index.js:10:5'],
    ['Firefox', 'render@https://example.com/app.js:3:14'],
    ['.NET', '   at Acme.Store.Read(String key) in C:\\src\\Store.cs:line 12'],
    ['Python', '  File "/srv/app.py", line 3, in main'],
    ['Go', '\t/go/src/app/main.go:42 +0x1d'],
    ['Go, header', 'goroutine 17 [running]:'],
    ['Rust', '  12: core::ops::function::FnOnce::call_once'],
    ['gdb', '#3  0x00007f3a in store_read (key=0x0) at store.c:12'],
    ['PHP', '#0 /var/www/index.php(12): App->run()'],
    ['Ruby', "app.rb:12:in `run'"],
    ['thread dump', '"main" #1 prio=5 os_prio=0 tid=0x00007f nid=0x1 runnable [0x00007f]'],
    ['thread state', '   java.lang.Thread.State: WAITING (parking)'],
    ['lock', '\t- locked <0x000000076b> (a java.lang.Object)'],
    ['form heading', '### Steps to reproduce'],
    ['form heading, Jira', 'h3. Expected behavior:'],
    ['confirmation', '- [x] I have searched the existing issues'],
    ['browser', 'User Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/115.0'],
    ['build', 'Build ID: 20240101000000'],
    ['address', 'https://example.com/some/long/path?with=query#and-fragment'],
    ['time', '2021-09-08T00:21:11.596Z'],
    ['UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['commit', '0ef572abed624011ad9a9e69d725774d6d00b75b'],
    ['table rule', '|---|:---:|'],
  ])('%s', (_, line) => {
    expect(cleanBody(`before\n${line}\nafter`)).toBe('before\nafter');
  });

  test('cleanBody drops `<details>` blocks only if they describe a machine', () => {
    const folded = (summary: string, text: string): string =>
      `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
    const body = `It flickers.\n${folded('System Info', 'GPU: x')}${folded('Extensions (3)', 'eslint|dba|2.4')}\n${folded('Logs', 'sync stopped')}`;
    expect(cleanBody(body)).toBe('It flickers.\nsync stopped');
    expect(cleanBody('<details><summary>System Info</summary>never closed')).toBe('never closed');
  });

  test('cleanBody drops the source line after a Python frame, but not the error after it', () => {
    const body = '  File "a.py", line 3, in main\n    raise ValueError("x")\nValueError: x must be positive';
    expect(cleanBody(body)).toBe('ValueError: x must be positive');
  });

  test('cleanBody drops stack frames that are all on one line', () => {
    expect(cleanBody('It fails with X at a.b.C.d(C.java:1) at a.b.E.f(E.java:2) every time')).toBe(
      'It fails with X every time',
    );
  });

  test('cleanBody preserves the exception before the frames, and returns it as error text', () => {
    const body =
      'It stops.\njava.io.IOException: disk full\n\tat a.B.c(B.java:1)\nCaused by: java.lang.Error: quota\n\tat a.B.d(B.java:2)';
    expect(cleanWithErrors(body)).toEqual({
      text: 'It stops.\njava.io.IOException: disk full\nCaused by: java.lang.Error: quota',
      errorText: 'java.io.IOException: disk full\nCaused by: java.lang.Error: quota',
    });
  });
});

describe('error text includes uncaught errors as browsers and Node.js print them', () => {
  test.each([
    'Uncaught TypeError: n is undefined',
    'Uncaught (in promise) TypeError: n is undefined',
    'Uncaught (in promise) DOMException: The operation was aborted.',
    'Uncaught (in promise) Error: Request failed with status code 502',
    'Unhandled rejection Error: read ECONNRESET',
    'Unhandled Promise Rejection: TypeError: n is undefined',
    'Unhandled promise rejection TypeError: n is undefined',
  ])('%s', (line) => {
    expect(
      cleanWithErrors(`The console says:\n\n\`\`\`\n${line}\n    at a (b.js:1:2)\n\`\`\``).errorText,
    ).toBe(line);
  });

  test.each([
    'Uncaught (in promise) is all that the console says',
    'Unhandled rejection of the form leaves it open',
    'The promise rejection Error: page is ugly',
  ])('but not: %s', (line) => {
    expect(cleanWithErrors(line).errorText).toBe('');
  });
});

describe('normalizeText', () => {
  test('distinguishes two empty descriptions with different titles', () => {
    expect(normalizeText('One', '')).not.toBe(normalizeText('Two', ''));
  });

  test('distinguishes a title from a description with the same words', () => {
    expect(normalizeText('a b', '')).not.toBe(normalizeText('a', 'b'));
  });

  test('ignores only case, white space and compatibility characters', () => {
    expect(normalizeText('ＡＢＣ  x', 'one\r\n\r\n two ')).toBe(normalizeText('abc X', 'One two'));
    expect(normalizeText('abc', 'one')).not.toBe(normalizeText('abc', 'one.'));
  });
});

test('the text to embed starts with the title and leaves out dropped lines', () => {
  expect(textForEmbedding('`save` fails', '```\nfoo\n```\nhttps://x.example/y')).toBe('save fails. foo');
  expect(textForEmbedding('Only a title', '')).toBe('Only a title');
  expect(textForEmbedding('', 'only a body')).toBe('only a body');
});

describe('processes a megabyte in linear time', () => {
  test.each([
    ' ',
    '\n',
    ' \n',
    '\t',
    '"',
    '(',
    '[',
    '[[](',
    '!',
    '<!--',
    '-->',
    '<p ',
    '<details><summary>',
    '<details>x</details>',
    'File "a", line 1\n',
    '<p>',
    '&amp;',
    '{code',
    '{code}',
    '|',
    '`',
    '*',
    '#',
    '- [ ] ',
    'h1. ',
    'at ',
    'at a',
    ' at a.b(',
    'a.',
    'a::',
    'a@',
    'aA',
    '0x',
    '1',
    '1:',
    '2020-',
    'Mon Jan ',
    'https://',
    '://',
    'File "',
    '"x" prio=',
    '#1 ',
    'x'.repeat(50),
    'é',
    '日',
    '🎉',
    '\u0301',
    'Exception',
    'Caused by: ',
    'Uncaught (in promise) ',
    'Unhandled rejection ',
  ])('of %j', (unit) => {
    const body = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const began = process.threadCpuUsage();
    cleanWithErrors(body);
    normalizeText('', body);
    expect(process.threadCpuUsage(began).user).toBeLessThan(3_000_000);
  });
});
