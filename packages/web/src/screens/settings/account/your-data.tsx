import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ACCOUNT_EXPORT } from '@winnow/contract/account';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { download } from '../../../api/session/download.ts';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormMessage } from '../../../ui/fields/form-message.tsx';
import { sizeText } from '../../../ui/texts/size-text.ts';
import classes from './account.module.css';

/** Section with a button that exports all data of the account as one file. */
export function YourData() {
  const [bytes, setBytes] = useState(0);
  const saving = useOneAtATime(
    useMutation({
      mutationFn: () => download({ path: '/auth/account/export', name: ACCOUNT_EXPORT }, setBytes),
      onMutate: () => setBytes(0),
    }),
  );
  return (
    <Card title="Your data" inset>
      <PermissionGate needs="own" notice>
        <p className={classes.words}>
          Everything of this account in one file: issues with their comments, pairs, scores, dependencies,
          changes, flows and settings. Tokens, keys and passwords are left out.
        </p>
        <div className={classes.line}>
          <Button
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            loading={saving.isPending}
            onClick={() => saving.mutate()}
          >
            Export
          </Button>
          {saving.isPending ? <span role="status">{sizeText(bytes)} so far</span> : null}
          {saving.isSuccess ? (
            <FormMessage tone="success">{`Saved ${ACCOUNT_EXPORT} (${sizeText(saving.data)}).`}</FormMessage>
          ) : null}
          {saving.isError ? (
            <FormMessage tone="danger">{`The export stopped. ${sentenceOf(saving.error)}`}</FormMessage>
          ) : null}
        </div>
      </PermissionGate>
    </Card>
  );
}
