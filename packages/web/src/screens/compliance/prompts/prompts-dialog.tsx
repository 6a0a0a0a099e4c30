import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { useState } from 'react';
import { PermissionGate } from '../../../features/workspaces/permission.tsx';
import dialog from '../../../features/write-dialog/write-dialog.module.css';
import { RemovalDialog, type RemovalProps } from '../../../ui/dialogs/removal-dialog.tsx';
import { UnsavedGuard } from '../../../ui/dialogs/unsaved-guard.tsx';
import { LEAVING } from '../../../ui/keyboard/screen-keys.ts';
import { PromptForm } from './prompt-form.tsx';
import { PromptView } from './prompt-view.tsx';
import classes from './prompts.module.css';
import { useDeletePrompt } from './queries.ts';

/** Id that stands for a new, unsaved prompt. */
const NEW_PROMPT_ID = 'new';

type ListProps = {
  prompts: readonly CompliancePrompt[];
  shownId: string;
  onShow: (id: string) => void;
};

function PromptList({ prompts, shownId, onShow }: ListProps) {
  const custom = prompts.filter(({ builtin }) => !builtin);
  const entry = ({ id, name, short_name }: CompliancePrompt) => (
    <li key={id}>
      <button
        type="button"
        className={classes.entry}
        aria-current={id === shownId ? 'true' : undefined}
        onClick={() => onShow(id)}
      >
        {name} {short_name === name ? null : <small>{short_name}</small>}
      </button>
    </li>
  );
  return (
    <nav className={classes.list} aria-label="Prompts">
      <h3 className={classes.listHead}>Built-in</h3>
      <ul>{prompts.filter(({ builtin }) => builtin).map(entry)}</ul>
      <h3 className={classes.listHead}>Your own</h3>
      {custom.length === 0 ? <p className={classes.noneYet}>None yet</p> : <ul>{custom.map(entry)}</ul>}
      <Button
        size="xs"
        leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
        onClick={() => onShow(NEW_PROMPT_ID)}
      >
        New prompt
      </Button>
    </nav>
  );
}

type BodyProps = Omit<PromptsDialogProps, 'opened'> & {
  shownId: string;
  onShow: (id: string) => void;
  onDirty: (dirty: boolean) => void;
};

function Body({ prompts, issues, shownId, onShow, onDirty, onChoose, onClose }: BodyProps) {
  const [deleting, setDeleting] = useState(false);
  const prompt = prompts.find(({ id }) => id === shownId) ?? null;
  if (prompt?.builtin === true) return <PromptView prompt={prompt} />;
  return (
    <>
      <PermissionGate needs="write" notice>
        <PromptForm
          key={prompt?.id ?? NEW_PROMPT_ID}
          prompt={prompt}
          issues={issues}
          onDirty={onDirty}
          onCancel={onClose}
          onSaved={(saved) => {
            onDirty(false);
            onChoose(saved.id);
            onShow(saved.id);
          }}
        >
          {prompt === null ? null : (
            <Button color="danger" variant="subtle" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
        </PromptForm>
      </PermissionGate>
      {prompt === null ? null : (
        <DeletePrompt
          opened={deleting}
          item={prompt}
          onClose={() => setDeleting(false)}
          onRemoved={() => {
            onDirty(false);
            onShow(prompts[0]?.id ?? NEW_PROMPT_ID);
          }}
        />
      )}
    </>
  );
}

export type PromptsDialogProps = {
  opened: boolean;
  prompts: readonly CompliancePrompt[];
  /** Issues on the current page of the list, on which a prompt can be tried. */
  issues: readonly Issue[];
  /** Called with the id of the prompt that the user selects to score issues. */
  onChoose: (promptId: string) => void;
  onClose: () => void;
};

/**
 * Dialog that displays built-in prompts, and lets users create, edit, try and delete custom
 * prompts.
 */
export function PromptsDialog({ opened, onClose, ...props }: PromptsDialogProps) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [shown, setShown] = useState<string | null>(null);
  const [dirty, setDirty] = useState(false);
  /**
   * Target of a navigation that would discard unsaved changes: another prompt, or null to close the
   * dialog. It waits for the user to confirm.
   */
  const [leaving, setLeaving] = useState<{ to: string | null } | null>(null);
  const shownId = shown ?? props.prompts[0]?.id ?? NEW_PROMPT_ID;
  const leave = (to: string | null) => {
    setLeaving(null);
    setDirty(false);
    setShown(to);
    if (to === null) onClose();
  };
  const ask = (to: string | null) => {
    if (to === shownId) return;
    if (dirty) setLeaving({ to });
    else leave(to);
  };
  return (
    <Modal
      opened={opened}
      {...(opened ? {} : LEAVING)}
      onClose={() => (leaving === null ? ask(null) : setLeaving(null))}
      title="Manage prompts"
      size={920}
      fullScreen={narrow}
      classNames={{
        content: dialog.content ?? '',
        body: dialog.body ?? '',
        header: dialog.header ?? '',
      }}
    >
      <div className={classes.columns}>
        <PromptList prompts={props.prompts} shownId={shownId} onShow={ask} />
        <div className={classes.detail}>
          <Body {...props} shownId={shownId} onShow={setShown} onDirty={setDirty} onClose={() => ask(null)} />
        </div>
      </div>
      {opened ? (
        <UnsavedGuard
          unsaved={dirty}
          asking={leaving !== null}
          onAsk={() => setLeaving({ to: null })}
          onKeep={() => setLeaving(null)}
          onDiscard={() => leave(leaving?.to ?? null)}
        />
      ) : null}
    </Modal>
  );
}

/** Asks for confirmation before deleting a prompt and all its scores. */
function DeletePrompt(props: RemovalProps<CompliancePrompt>) {
  return (
    <RemovalDialog {...props} title="Delete prompt" removal={useDeletePrompt()}>
      <p>Are you sure you want to delete the prompt "{props.item?.name}"? All its scores are deleted too.</p>
    </RemovalDialog>
  );
}
