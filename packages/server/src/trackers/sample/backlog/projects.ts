import { syncConflicts } from './sync-conflicts.ts';
import { syncDesktop } from './sync-desktop.ts';
import { syncDownload } from './sync-download.ts';
import { syncEngine } from './sync-engine.ts';
import { syncFileNames } from './sync-file-names.ts';
import { syncInstall } from './sync-install.ts';
import { syncJournal } from './sync-journal.ts';
import { syncPlaceholders } from './sync-placeholders.ts';
import { syncSelective } from './sync-selective.ts';
import { syncSignIn } from './sync-sign-in.ts';
import { syncTransferLimits } from './sync-transfer-limits.ts';
import { syncUpload } from './sync-upload.ts';
import { syncWatching } from './sync-watching.ts';
import type { SampleIssue, SampleProject } from './types.ts';
import { webAdmin } from './web-admin.ts';
import { webApi } from './web-api.ts';
import { webBilling } from './web-billing.ts';
import { webFiles } from './web-files.ts';
import { webIdentity } from './web-identity.ts';
import { webInterface } from './web-interface.ts';
import { webLinks } from './web-links.ts';
import { webNotifications } from './web-notifications.ts';
import { webPreviews } from './web-previews.ts';
import { webSharing } from './web-sharing.ts';
import { webTrash } from './web-trash.ts';

function byNumber(themes: SampleIssue[][]): SampleIssue[] {
  return themes.flat().sort((a, b) => a.number - b.number);
}

/** The organization whose backlog a new user explores. */
export const sampleOrganization = { name: 'Skua', identifier: 'skua' };

/** The two projects of the sample backlog, each with its issues in the order of their numbers. */
export const sampleProjects: SampleProject[] = [
  {
    name: 'Skua Sync',
    identifier: 'skua/sync',
    description: 'Desktop client and sync engine for Windows, macOS and Linux.',
    issues: byNumber([
      syncUpload,
      syncTransferLimits,
      syncFileNames,
      syncDownload,
      syncConflicts,
      syncWatching,
      syncPlaceholders,
      syncSelective,
      syncSignIn,
      syncDesktop,
      syncInstall,
      syncJournal,
      syncEngine,
    ]),
  },
  {
    name: 'Skua Web',
    identifier: 'skua/web',
    description: 'Web app and API: sharing, previews, search, administration, billing.',
    issues: byNumber([
      webSharing,
      webLinks,
      webPreviews,
      webFiles,
      webInterface,
      webIdentity,
      webAdmin,
      webBilling,
      webNotifications,
      webTrash,
      webApi,
    ]),
  },
];
