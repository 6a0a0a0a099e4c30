import { describe, expect, test } from 'vitest';
import { expectFailure, never, type Suite } from './context.ts';

/** Defines the tests of editing and creating issues. Every provider must pass them. */
export function describeEdits(suite: Suite): void {
  describe('people', () => {
    const logins = async (query: string) => {
      const { provider, project } = suite.context;
      return (await provider.assignableUsers(project, query, never())).map(({ login }) => login);
    };

    test('assignable users are found by prefix of their login', async () => {
      const { assignable, outsider } = suite.context.people;
      const everybody = await logins('');
      expect(everybody).toEqual(expect.arrayContaining([...assignable]));
      expect(everybody).not.toContain(outsider);
      for (const login of assignable) {
        for (const query of [login.slice(0, 2), login.toUpperCase()])
          expect(await logins(query)).toContain(login);
      }
      expect(await logins(`${assignable[0]}-and-more`)).toEqual([]);
    });

    test('assigning replaces all assignees, and a user who cannot be assigned is named without any write', async () => {
      const { provider, people, severalAssignees = true } = suite.context;
      const [first, second] = people.assignable;
      const id = await suite.context.otherUser.addIssue('to assign');
      const assign = (names: string[]) => provider.assign(suite.target(id), names, never());
      const wanted = [...(severalAssignees ? [[first, second]] : []), [first], [second], [second], []];
      for (const names of wanted) {
        const issue = await assign(names);
        expect(issue.assignees.toSorted()).toEqual(names.toSorted());
        expect(await suite.read(id)).toEqual(issue);
      }
      await assign([first]);
      expect((await expectFailure(assign([people.outsider]), 'invalid')).message).toContain(people.outsider);
      expect((await suite.read(id)).assignees).toEqual([first]);
    });
  });

  describe('editing', () => {
    test('replaces the title, the text or both, and nothing else', async () => {
      const { provider, otherUser } = suite.context;
      const id = await otherUser.addIssue('before');
      const target = suite.target(id);
      await provider.changeLabels(target, { add: ['bug'], remove: [] }, never());
      let expected = { title: 'before', description: '', labels: ['bug'] };
      for (const text of [
        { title: 'after' },
        { description: 'A text.\n\nAnother **paragraph**.' },
        { title: 'once more', description: 'Short.' },
        { description: '' },
      ]) {
        suite.context.pass(1000);
        const issue = await provider.edit(target, text, never());
        expected = { ...expected, ...text };
        expect(issue).toMatchObject(expected);
        expect(await suite.read(id)).toEqual(issue);
      }
      expect((await otherUser.titles()).get(id)).toBe('once more');
    });

    test('adds and removes labels without touching others, even when repeated', async () => {
      const { provider, otherUser } = suite.context;
      const id = await otherUser.addIssue('to label');
      const change = async (add: string[], remove: string[]) => {
        const issue = await provider.changeLabels(suite.target(id), { add, remove }, never());
        expect(await suite.read(id)).toEqual(issue);
        return issue.labels.toSorted();
      };
      for (let times = 0; times < 2; times += 1) {
        expect(await change(['bug', 'needs-info'], [])).toEqual(['bug', 'needs-info']);
      }
      for (let times = 0; times < 2; times += 1) {
        expect(await change(['ready'], ['needs-info', 'never-there'])).toEqual(['bug', 'ready']);
      }
      expect(await change([], [])).toEqual(['bug', 'ready']);
    });

    test('fails for a missing issue', async () => {
      const { provider, otherUser, people } = suite.context;
      const target = suite.target(await otherUser.addIssue('soon gone'));
      await otherUser.removeIssue(target.externalId);
      const changes = [
        { add: ['bug'], remove: [] },
        { add: [], remove: ['bug'] },
      ];
      await expectFailure(provider.edit(target, { title: 'text' }, never()), 'not_found');
      for (const change of changes) {
        await expectFailure(provider.changeLabels(target, change, never()), 'not_found');
      }
      await expectFailure(provider.assign(target, [people.assignable[0]], never()), 'not_found');
    });
  });

  describe('creating', () => {
    test('makes an issue that is found only by its exact marker after a lost response', async () => {
      const { provider, project, otherUser, people } = suite.context;
      const [assignee] = people.assignable;
      const draft = { title: 'made', description: 'A text.', labels: ['bug'], assignees: [assignee] };
      const createdAfter = suite.context.now();
      const made = await provider.create(project, draft, 'step-1', never());
      expect(made).toMatchObject({ title: 'made', state: 'opened', labels: ['bug'], assignees: [assignee] });
      expect(made.description).toMatch(/^A text\.(?:\n\n<!-- .*step-1 -->)?$/);
      expect((await otherUser.titles()).get(made.externalId)).toBe('made');
      for (let later = 0; later < 3; later += 1) await otherUser.addIssue('made later');

      const find = (marker: string, after = createdAfter) =>
        provider.findCreated(project, marker, after, never());
      expect(await find('step-1')).toEqual(made);
      expect(await find('step')).toBeNull();
      expect(await find('step-12')).toBeNull();
      suite.context.pass(3_600_000);
      expect(await find('step-1', suite.context.now())).toBeNull();
    });
  });
}
