import { describe, expect, test } from 'vitest';
import { checklistInsertion, type Insertion, templateInsertion } from './questions.ts';
import { templateKind, templateSections } from './template.ts';

const inserted = (text: string, insertion: Insertion | null) =>
  insertion === null ? null : text.slice(0, insertion.at) + insertion.text + text.slice(insertion.at);

describe('checklistInsertion', () => {
  const first = checklistInsertion('It fails.\n', ['Who waits?', 'Which part?', 'Who waits?']);
  const text = inserted('It fails.\n', first) ?? '';

  test('appends a checklist to the description that contains each question once', () => {
    const list = '- [ ] _To clarify: Who waits?_\n- [ ] _To clarify: Which part?_';
    expect(text).toBe(`It fails.\n\n## Open questions\n\n${list}\n`);
  });

  test('adds only new questions to an existing checklist', () => {
    expect(checklistInsertion(text, ['Which part?', 'Who waits?'])).toBeNull();
    const grown = inserted(
      `${text}\n## Notes\n\nNone.`,
      checklistInsertion(`${text}\n## Notes\n\nNone.`, ['When?']),
    );
    expect(grown).toContain('_To clarify: Which part?_\n- [ ] _To clarify: When?_\n\n## Notes\n\nNone.');
  });

  test('inserts no blank lines into an empty description', () => {
    expect(inserted('', checklistInsertion('', ['When?']))).toBe(
      '## Open questions\n\n- [ ] _To clarify: When?_',
    );
  });
});

describe('templates', () => {
  const criterion = (id: string, check: 'goal' | 'acceptance' | null) => {
    return { id, name: id, weight: 0.5, description: id, check };
  };
  const result = (id: string, score: number) => {
    return { id, name: id, weight: 0.5, score, note: '', evidence: [], fix: score === 1 ? null : 'Which?' };
  };
  const prompt = {
    criteria: [criterion('goal', 'goal'), criterion('tests', 'acceptance'), criterion('own', null)],
  };
  const found = [result('goal', 1), result('tests', 0.3), result('own', 0)];

  test('selects template sections by issue type and by criteria that are not met', () => {
    const headings = (type: string) =>
      templateSections(templateKind(type), prompt, found).map(({ heading }) => heading);
    expect(headings('Bug')).toEqual(['Steps to reproduce', 'Acceptance criteria']);
    expect(headings('User Story')).toEqual(['Acceptance criteria']);
    expect(headings('Task')).toEqual(['Acceptance criteria']);
  });

  test('skips sections that the description already has', () => {
    const sections = templateSections('bug', prompt, found);
    const text = 'It fails.\n\n### steps to reproduce\n\n1. Start it.';
    expect(inserted(text, templateInsertion(text, sections))).toBe(
      `${text}\n\n### Acceptance criteria\n\n- [ ] _To clarify: How can a tester verify that it is fixed?_`,
    );
    expect(templateInsertion(inserted(text, templateInsertion(text, sections)) ?? '', sections)).toBeNull();
  });
});
