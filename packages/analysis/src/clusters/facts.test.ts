import { expect, test } from 'vitest';
import { additionsOf, readFacts } from './facts.ts';

const issue = (title: string, body: string) => ({ id: title, title, body, type: 'bug', labels: [] });
const kindsOf = (body: string, title = 'Export fails') =>
  readFacts(issue(title, body)).map(({ kind, quote }) => [kind, quote]);

test('each fact quotes the text at its position', () => {
  const full = issue(
    'Export fails on Windows 11',
    [
      'Version: 3.2.1, also on Firefox 128.',
      '',
      '## Steps to reproduce',
      '1. Open the report.',
      '2. Click Export.',
      '',
      '```',
      'java.lang.NullPointerException: report is null',
      '    at com.acme.Export.run(Export.java:12)',
      '```',
      '![dialog](https://files.example/dialog.png)',
      '',
      'Workaround: export as CSV first.',
      'Customer: Acme Corp, Globex',
    ].join('\n'),
  );
  const facts = readFacts(full);
  for (const { field, start, end, quote } of facts) expect(full[field].slice(start, end)).toBe(quote);
  expect(facts.map(({ kind }) => kind).toSorted()).toEqual(
    [
      'platform',
      'version',
      'platform',
      'steps',
      'error',
      'log',
      'screenshot',
      'workaround',
      'customer',
      'customer',
    ].toSorted(),
  );
  const quotes = Object.fromEntries(facts.map(({ kind, quote }) => [kind, quote]));
  expect(quotes.steps).toBe('Open the report.\n2. Click Export.');
  expect(quotes.log).toMatch(/^```\njava.*Export\.java:12\)\n```$/s);
  expect(quotes.workaround).toContain('export as CSV first.');
});

test('a denied workaround is not a workaround, and a capitalized word is not a customer', () => {
  expect(kindsOf('There is no known workaround. Is there any workaround?')).toEqual([]);
  expect(kindsOf('It hangs.\n\nWorkaround: not known')).toEqual([]);
  expect(kindsOf('A Customer of Acme called. Customers: many')).toEqual([]);
  expect(kindsOf('Affected customers: Acme Corp, several others')).toEqual([['customer', 'Acme Corp']]);
});

test('finds a workaround under a heading', () => {
  expect(kindsOf('It hangs.\n\n## Workaround\n\nRestart the service twice a day.')).toEqual([
    ['workaround', 'Restart the service twice a day.'],
  ]);
});

test('code without an error is a sample', () => {
  expect(kindsOf('Compile this:\n\n```rust\nfn main() { let x = 1; }\n```').map(([kind]) => kind)).toEqual([
    'sample',
  ]);
});

test('the output of a compiler is a log', () => {
  expect(kindsOf('```\nmain.rs:3:7: error: mismatched types\n```').map(([kind]) => kind)).toEqual(['log']);
});

test('lists only facts that the canonical issue and earlier members lack', () => {
  const canonical = issue('Export fails', 'Seen with 3.2.1 on Windows 10.\n\nSteps:\n1. Click Export.');
  const first = issue('Export broken', 'On Windows with 3.2.1 and on macOS 14.\n\nSteps:\n1. Press Ctrl+E.');
  const second = issue('Cannot export', 'Also on macOS 14, version 3.3.0.');
  const additions = additionsOf(canonical, [first, second]);
  expect(additions.map(({ id, facts }) => [id, facts.map(({ quote }) => quote)])).toEqual([
    ['Export broken', ['macOS 14']],
    ['Cannot export', ['3.3.0']],
  ]);
});

test('two logs with the same error are one fact, even if their numbers differ', () => {
  const log = (line: number) =>
    `\`\`\`\nError: cannot open file ${line}\n    at run (main.js:${line}:1)\n\`\`\``;
  const [added] = additionsOf(issue('Open fails', log(1)), [issue('Cannot open', log(22))]);
  expect(added?.facts).toEqual([]);
});
