import { Anchor } from '@mantine/core';
import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import type { ReactElement } from 'react';
import { ATLASSIAN_TOKEN_PAGE, gitHubTokenPages, gitLabTokenPage } from './token-pages.ts';

/** Explains which permissions the API key needs, and links to the page that creates it. */
export function TokenHelp({ type, url }: { type: ConnectableTrackerType; url: string }): ReactElement {
  switch (type) {
    case 'github': {
      const { fineGrained, classic } = gitHubTokenPages(url);
      return (
        <>
          A{' '}
          <Anchor href={fineGrained} target="_blank" rel="noreferrer" inherit>
            fine-grained token
          </Anchor>{' '}
          with Issues (read and write) and Metadata (read), or a{' '}
          <Anchor href={classic} target="_blank" rel="noreferrer" inherit>
            classic token
          </Anchor>{' '}
          with repo and read:org.
        </>
      );
    }
    case 'gitlab':
      return (
        <>
          A{' '}
          <Anchor href={gitLabTokenPage(url)} target="_blank" rel="noreferrer" inherit>
            personal access token
          </Anchor>{' '}
          with the scope api. With read_api only, issues can be read but not changed.
        </>
      );
    case 'jira':
      return (
        <>
          An{' '}
          <Anchor href={ATLASSIAN_TOKEN_PAGE} target="_blank" rel="noreferrer" inherit>
            API token
          </Anchor>{' '}
          of your Atlassian account, or a personal access token of Jira Data Center (Profile, Personal Access
          Tokens).
        </>
      );
  }
}
