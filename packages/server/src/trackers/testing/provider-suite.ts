import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeComments } from './provider-suite/comments.ts';
import { type ProviderContext, suiteOf } from './provider-suite/context.ts';
import { describeEdits } from './provider-suite/edits.ts';
import { describeLinks } from './provider-suite/links.ts';
import { describeListings } from './provider-suite/listings.ts';
import { describePresence } from './provider-suite/presence.ts';

/** Defines the tests that the provider of every tracker must pass. */
export function describeProvider(name: string, makeContext: () => Promise<ProviderContext>): void {
  describe(`${name} as a provider`, () => {
    let context: ProviderContext;
    beforeEach(async () => {
      context = await makeContext();
    });
    afterEach(() => context.dispose());
    const suite = suiteOf(() => context);

    describeListings(suite);
    describePresence(suite);
    describeComments(suite);
    describeEdits(suite);
    describeLinks(suite);

    test('fails immediately without any request or write if the signal has fired', async () => {
      const [one = '', two = ''] = await suite.someIssues(2);
      const [first, second] = [suite.target(one), suite.target(two)];
      const state = async () => [
        await context.otherUser.inspect(one),
        await context.otherUser.titles(),
        context.requests(),
      ];
      const before = await state();
      const { provider, project, organization } = context;
      const signal = AbortSignal.abort(new Error('stopped'));
      const draft = { title: 'made', description: '', labels: [], assignees: [] };
      const calls = [
        () => provider.check(signal),
        () => provider.organizations(signal),
        () => provider.projects(organization, signal),
        () => provider.issues(project, null, signal),
        () => provider.comments(project, null, signal),
        () => provider.issue(first, signal),
        () => provider.project(project, signal),
        () => provider.count(project, signal),
        () => provider.externalIds(project, null, signal),
        () => provider.links(first, signal),
        () => provider.assignableUsers(project, '', signal),
        () => provider.comment(first, 'text', 'step-4', signal),
        () => provider.findComment(first, 'step-4', new Date(0), signal),
        () => provider.deleteComment(first, '1', signal),
        () => provider.closeAsDuplicate(first, second, signal),
        () => provider.close(first, 'completed', signal),
        () => provider.reopen(first, signal),
        () => provider.edit(first, { title: 'text' }, signal),
        () => provider.link(first, 'blocks', second, signal),
        () => provider.unlink(first, 'blocks', second, signal),
        () => provider.assign(first, [], signal),
        () => provider.changeLabels(first, { add: ['bug'], remove: [] }, signal),
        () => provider.create(project, draft, 'step-4', signal),
        () => provider.findCreated(project, 'step-4', new Date(0), signal),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow('stopped');
      expect(await state()).toEqual(before);
    });
  });
}
