// prose-exception-file: quotes issues of the sample backlog.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textForEmbedding } from '../clean.ts';
import { Corpus, type CorpusDocument } from '../corpus.ts';
import { type Embedder, openMiniLm } from '../embed.ts';
import { NeighbourPool } from '../neighbours.ts';
import { termWeights } from '../snapshot.ts';
import { suggestDeconflict } from '../suggest.ts';

const PAIRS = [
  {
    what: 'one error, as two browsers print it',
    isToldApart: true,
    first: {
      title: "TypeError: Cannot read properties of undefined (reading 'etag') when renaming a file",
      body: "Renaming a file right after uploading it in the browser fails, the name jumps back. Chrome 120.\n\n```\nTypeError: Cannot read properties of undefined (reading 'etag')\n    at FileList.applyRename (FileList.ts:212:31)\n```",
    },
    second: {
      title: 'TypeError: can\'t access property "etag" when renaming a file after upload (Firefox)',
      body: 'Drop a file into the list, rename it straight away, the old name comes back. Console:\n\n```\nUncaught (in promise) TypeError: can\'t access property "etag", n is undefined\n    applyRename FileList.ts:212\n```\n\nFirefox 126 on Linux.',
    },
  },
  {
    what: 'a wish and its opposite',
    isToldApart: false,
    first: {
      title: 'Links should expire after 30 days by default',
      body: 'Most links are needed for a few days and stay open for years.\n\nNew links should get an expiry date 30 days ahead. Whoever creates one can change the date or remove it.\n\nLinks that exist keep their settings.',
    },
    second: {
      title: 'Links must never expire unless I set a date',
      body: "I hear there are plans to let links expire after 30 days by default. Please don't.\n\nWe print QR codes with Skua links in our manuals. If a default must be, then at most as a setting that an administrator turns on.",
    },
  },
  {
    what: 'one error on two platforms',
    isToldApart: true,
    first: {
      title: 'ERR_CHUNK_DIGEST (4012) when uploading from a mapped network drive',
      body: 'Sync folder is on a mapped drive (SMB share on the office file server). Files that were just written by another computer fail with\n\n```\nERROR upload: chunk 17: ERR_CHUNK_DIGEST (4012)\n```\n\nWindows 11, Skua 4.2.4. Never seen with a local folder.',
    },
    second: {
      title: 'ERR_CHUNK_DIGEST (4012) when uploading from a CIFS mount on Linux',
      body: 'My sync folder lives on a NAS. Files saved by a second machine on the NAS get stuck:\n\n```\nupload: chunk 3: ERR_CHUNK_DIGEST (4012)\nupload: giving up after 3 attempts\n```\n\nDebian 12, skua-desktop 4.5.0, kernel 6.1.',
    },
  },
  {
    what: 'one fault in two versions',
    isToldApart: true,
    first: {
      title: 'Windows: high CPU while watching a folder with many small changes',
      body: '`skua-engine.exe` sits at 100 % of one core after a package install inside the sync folder.\n\n```\nwatcher: buffer overflow, scheduling full rescan\n```\n\n4.2.5, Windows 10 and 11.',
    },
    second: {
      title: 'Windows: high CPU of skua-engine when npm install runs in a synced folder',
      body: 'When I install packages (about 40k files) the fan stays on for half an hour. Task Manager shows skua-engine.exe at 12.5 %.\n\nThe log is full of `buffer overflow, scheduling full rescan`.\n\nWin 11 23H2, Skua 4.4.2.',
    },
  },
  {
    what: 'one cause, another message',
    isToldApart: false,
    first: {
      title: 'SAML sign-in fails: audience mismatch',
      body: 'After moving our identity provider to a new tenant every sign-in ends with "Sign-in failed (saml_audience)". Only upper and lower case differ.',
    },
    second: {
      title: 'SAML sign-in fails: signature invalid after certificate change',
      body: 'Our identity provider changes its signing certificate once a year. Since this morning every sign-in ends with "Sign-in failed (saml_signature)".',
    },
  },
  {
    what: 'the same work for two platforms',
    isToldApart: false,
    first: {
      title: 'Windows on ARM64: native build',
      body: 'The x64 build runs under emulation, but the shell extension does not load (Explorer is native and cannot take an x64 DLL), so there are no overlay icons and no context menu.',
    },
    second: {
      title: 'Linux on ARM64: native packages (.deb, .rpm)',
      body: 'Users of ARM boards install Skua from our repository as on x86-64.\n\nCross-compile the engine with the toolchain of the x86 build, run the tests under emulation for pull requests and on a real board at night.',
    },
  },
  {
    what: 'one wish for the API and for the web app',
    isToldApart: false,
    first: {
      title: 'Expose unresolved conflicts through the local API',
      body: '## Goal\nAnything outside the engine (shell, command line, support tool) can list conflicts and resolve them without knowing how copies are named.\n\n## Acceptance criteria\n- `GET /conflicts` on the local socket lists: original path, copy path, both revisions, both devices, both times, size.\n- `POST /conflicts/{id}/resolve` takes `keep: original | copy | both` and answers 409 when one side has changed since.\n- The same list is reported to the account service with every heartbeat (at most 200 entries).\n- Conflicts from before the upgrade are found by a one-time scan.\n- Contract tests for each call.\n\n## Out of scope\nAny interface. Merging contents.\n\n## Approach\nNew table `conflict` in the journal, filled where the copy is created. Resolution goes through the normal operation queue, so it can be undone from the version history.\n\n## Estimate\n5 points, no dependencies.',
    },
    second: {
      title: 'Show unresolved conflicts in the web app',
      body: 'Many people never look at the tray icon. Owners of a space ask us why there are "(conflict, ...)" files in it and what to do with them.\n\nAdd a page *Conflicts* to each space: the two versions with time and device, preview of both, buttons *Keep this one* for each and *Keep both*. A badge with the number in the sidebar.\n\nFor now the web app knows nothing of conflicts, they are files like any other; it would need the clients to report what they consider a conflict.\n\nSketch: [conflicts page](https://design.skua.example/conflicts-v1)',
    },
  },
];

let embedder: Embedder;
const neighbours = new NeighbourPool({ workers: 1 });
beforeAll(async () => {
  embedder = await openMiniLm({ threads: 1 });
});
afterAll(async () => {
  await embedder.close();
  await neighbours.close();
});

async function documentOf(
  id: string,
  { title, body }: { title: string; body: string },
): Promise<CorpusDocument> {
  const [vector = null] = await embedder.embed([textForEmbedding(title, body)]);
  return { id, group: 'app', title, body, vector, createdAt: 0 };
}

test.each(PAIRS)(
  '$what: accepting the suggestion does not make the issues more similar',
  async ({ first, second, isToldApart }) => {
    const all = await Promise.all(
      PAIRS.flatMap((pair, index) => [
        documentOf(`app#${index * 2 + 1}`, pair.first),
        documentOf(`app#${index * 2 + 2}`, pair.second),
      ]),
    );
    const [one, other] = all.filter(({ title }) => title === first.title || title === second.title);
    if (one === undefined || other === undefined) throw new Error('a document is missing');
    const corpus = new Corpus({ neighbours, dimensions: one.vector?.length ?? 0 });
    corpus.put(all);
    const snapshot = corpus.takeSnapshot(1);
    corpus.useSnapshot(snapshot);
    const similarity = async () => {
      const [found] = await corpus.similar({ id: one.id }, { limit: 1, filter: (id) => id === other.id });
      return found?.similarity ?? 0;
    };
    const before = await similarity();
    const given = suggestDeconflict(
      { key: one.id, mention: one.id, ...first },
      { key: other.id, mention: other.id, ...second },
      { idf: termWeights(snapshot), longestTitle: 255, longestDescription: 65_536 },
    );
    corpus.put([
      await documentOf(one.id, { title: given.title1, body: given.description1 }),
      await documentOf(other.id, { title: given.title2, body: given.description2 }),
    ]);
    const after = await similarity();
    // Two embeddings of the same text may differ in the last digits.
    expect(after - before).toBeLessThanOrEqual(isToldApart ? -0.01 : 1e-6);
    expect(before).toBeGreaterThan(0.3);
  },
);
