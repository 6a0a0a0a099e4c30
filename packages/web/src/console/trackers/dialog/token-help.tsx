import { Anchor } from '@mantine/core';
import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import { tokenPages } from './token-pages.ts';

/** Which permissions the key needs, and where it is made. */
export function TokenHelp({ type, url }: { type: ConnectableTrackerType; url: string }) {
  switch (type) {
    case 'github': {
      const { fineGrained, classic } = tokenPages(url);
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
  }
}
