import { expect, test } from 'vitest';
import { commands } from './commands.ts';

const MAX_OPERANDS = 3;

test.each(commands)('$name accepts its operands, and no other words or options', ({ name, read }) => {
  const asked = (count: number) => [...name.split(' '), ...Array.from({ length: count }, () => 'word')];
  const accepted = Array.from({ length: MAX_OPERANDS }, (_, count) => count).filter((count) =>
    read(asked(count)),
  );
  expect(accepted).toHaveLength(1);
  const words = asked(accepted[0] ?? 0);
  expect(read([...words, '--dry-run'])).toBeNull();
  expect(read([...words, '-y'])).toBeNull();
  expect(read(['other', ...words.slice(1)])).toBeNull();
});
