import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
const MODULE = /import (\w+) from '(\.[^']+\.module\.css)'/g;
/**
 * Names of array properties. Code that uses them, such as `names.length`, does not refer to a CSS
 * class.
 */
const OF_LISTS = new Set(Object.getOwnPropertyNames(Array.prototype));
const COMPOSED = /composes:\s*([\w\s-]+?)(?:\s+from\s+["']([^"']+)["'])?;/g;

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');

/** Returns the names of the classes for which a stylesheet has rules. */
function classesOf(file: string): Set<string> {
  const rules = read(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/"[^"]*"/g, '""');
  return new Set([...rules.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name));
}

test('style sheets define every class that components use', () => {
  const missing = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const source = read(file);
      return [...source.matchAll(MODULE)].flatMap(([, name = '', path = '']) => {
        const known = classesOf(join(dirname(file), path));
        return [...source.replaceAll(MODULE, '').matchAll(new RegExp(`(?<![\\w.-])${name}\\.(\\w+)`, 'g'))]
          .map(([, used = '']) => used)
          .filter((used) => !known.has(used) && !OF_LISTS.has(used))
          .map((used) => `${file}: ${name}.${used}`);
      });
    });
  expect(missing).toEqual([]);
});

test('style sheets define every class that others compose', () => {
  const missing = files
    .filter((file) => file.endsWith('.module.css'))
    .flatMap((file) =>
      [...read(file).matchAll(COMPOSED)].flatMap(([, names = '', path]) => {
        const known = classesOf(path === undefined ? file : join(dirname(file), path));
        return names.split(/\s+/).flatMap((name) => (known.has(name) ? [] : [`${file}: ${name}`]));
      }),
    );
  expect(missing).toEqual([]);
});
