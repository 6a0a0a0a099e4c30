import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { MAX_DESCRIPTION_CHARS } from '@winnow/contract/change';
import {
  type ClusterDetail,
  type ClusterResolution,
  factsPlace,
  MAX_CLUSTER_MEMBERS_CLOSED,
} from '@winnow/contract/cluster';
import { useState } from 'react';
import { issuesText } from '../../../../features/clusters/cluster-texts.ts';
import { IssueKey } from '../../../../features/issues/issue-key.tsx';
import { TrackerMark } from '../../../../features/issues/tracker-mark.tsx';
import { useTrackerNames } from '../../../../features/trackers/use-tracker-names.ts';
import {
  ConfirmButton,
  ConfirmForm,
  PreviewPane,
  previewState,
} from '../../../../features/write-dialog/confirm-form.tsx';
import { Refusal } from '../../../../features/write-dialog/refusal.tsx';
import type { DialogWrite } from '../../../../features/write-dialog/use-dialog-write.ts';
import { useEditedPreview } from '../../../../features/write-dialog/use-edited-preview.ts';
import classes from '../../../../features/write-dialog/write-dialog.module.css';
import { useShownPart } from '../../../../ui/use-shown-part.tsx';
import { chosenIssues } from './chosen-issues.ts';
import { ClusterWrites } from './cluster-writes.tsx';
import own from './resolve.module.css';

export type ResolutionWrite = ClusterResolution;

type Member = ClusterDetail['members'][number];

/** Labels of the options for quoting facts of the closed issues. */
const FACTS_CHOICES: Record<ClusterResolution['facts'], string> = {
  nowhere: 'Do not quote them',
  comment: 'Quote them in the comment',
  description: 'Quote them in the description',
};

function MemberChoice(props: {
  member: Member;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { issue } = props.member;
  return (
    <li>
      <Checkbox
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
        label={
          <span className={own.member}>
            <span>
              <IssueKey>{issue.key}</IssueKey> <TrackerMark projectId={issue.project_id} />
            </span>
            <span dir="auto">{issue.title}</span>
          </span>
        }
      />
    </li>
  );
}

export type ResolveFormProps = {
  cluster: ClusterDetail;
  writing: DialogWrite<ResolutionWrite>;
  onCancel: () => void;
};

/**
 * Form that selects the issues to close and edits the texts of the canonical issue. The resulting
 * writes are displayed beside it.
 */
export function ResolveForm({ cluster, writing, onCancel }: ResolveFormProps) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [place, setPlace] = useState<ClusterResolution['facts']>('nowhere');
  const [comments, setComments] = useState<Readonly<Record<string, string>>>({});
  const [description, setDescription] = useState<string | null>(null);
  const trackerName = useTrackerNames();

  const open = cluster.members.filter(({ issue }) => issue.state === 'opened');
  const canonical =
    open.find(({ issue }) => issue.id === chosenId) ??
    open.find((member) => member.is_canonical) ??
    open.find((member) => member.not_canonical === null) ??
    open[0];
  const others = open.filter((member) => member !== canonical);
  const chosen = chosenIssues(others, toggled);
  const chosenIds = new Set(chosen.map(({ issue }) => issue.id));
  const maximum = Math.min(others.length, MAX_CLUSTER_MEMBERS_CLOSED);
  const { shown, more } = useShownPart(others);
  // `adds` lists facts that the cluster's canonical issue lacks. If the user keeps another issue
  // open, only the server knows the facts that this issue lacks.
  const hasNoFacts = canonical?.is_canonical === true && chosen.every(({ adds }) => adds.length === 0);
  const facts = hasNoFacts ? 'nowhere' : place;
  const posted = new Set([...chosen, ...(canonical ? [canonical] : [])].map(({ issue }) => issue.id));
  const edited = Object.fromEntries(Object.entries(comments).filter(([id]) => posted.has(id)));
  const payload: ClusterResolution | null =
    canonical === undefined || chosen.length === 0
      ? null
      : {
          revision: cluster.revision,
          canonical_id: canonical.issue.id,
          member_ids: chosen.map(({ issue }) => issue.id),
          facts,
          ...(Object.keys(edited).length === 0 ? {} : { comments: edited }),
          ...(description === null ? {} : { canonical_description: description }),
        };
  const isTyping = description !== null || Object.keys(edited).length > 0;
  const request =
    payload === null ? null : ({ kind: 'cluster', payload: { cluster_id: cluster.id, ...payload } } as const);
  const preview = useEditedPreview(request, isTyping);
  const state = previewState(preview, payload !== null, writing.pending);
  const isCommentMissing = Object.values(edited).some((text) => text.trim() === '');
  const decided =
    payload !== null && state.confirmable !== null && !isCommentMissing
      ? { ...payload, base_hashes: state.confirmable }
      : null;
  const planned = state.shown?.steps.find(({ action }) => action === 'edit')?.after.description;
  const toggleAll = (checked: boolean) =>
    setToggled(new Map(checked ? [] : others.map(({ issue }) => [issue.id, false])));
  const forgetTexts = () => {
    setComments({});
    setDescription(null);
  };
  return (
    <ConfirmForm
      onConfirm={() => {
        if (decided !== null) writing.write(decided);
      }}
      form={
        <div className={classes.fields}>
          <NativeSelect
            label="Canonical issue"
            description="This issue stays open."
            value={canonical?.issue.id ?? ''}
            data={open.map(({ issue }) => ({ value: issue.id, label: `${issue.key} ${issue.title}` }))}
            onChange={(event) => {
              setChosenId(event.currentTarget.value);
              forgetTexts();
            }}
          />
          <fieldset className={own.members}>
            <legend>Issues to close as duplicates</legend>
            <Checkbox
              data-autofocus
              label={`${maximum < others.length ? `First ${maximum}` : 'All'} (${chosen.length} of ${others.length})`}
              checked={chosen.length === maximum}
              indeterminate={chosen.length > 0 && chosen.length < maximum}
              onChange={(event) => toggleAll(event.currentTarget.checked)}
            />
            {maximum < others.length ? (
              <p className={own.limit}>
                {`At most ${maximum} issues are closed at once. Open the cluster again afterwards to resolve the rest.`}
              </p>
            ) : null}
            <ul className={own.list}>
              {shown.map((member) => (
                <MemberChoice
                  key={member.issue.id}
                  member={member}
                  checked={chosenIds.has(member.issue.id)}
                  disabled={chosen.length === MAX_CLUSTER_MEMBERS_CLOSED && !chosenIds.has(member.issue.id)}
                  onChange={(checked) => setToggled(new Map(toggled).set(member.issue.id, checked))}
                />
              ))}
            </ul>
            {more}
          </fieldset>
          <NativeSelect
            label="Facts that the canonical issue lacks"
            description={hasNoFacts ? 'The issues to close add no facts to quote.' : undefined}
            disabled={hasNoFacts}
            value={facts}
            data={Object.entries(FACTS_CHOICES).map(([value, label]) => ({ value, label }))}
            onChange={(event) => {
              setPlace(factsPlace.parse(event.currentTarget.value));
              forgetTexts();
            }}
          />
          {facts === 'description' && (planned !== undefined || description !== null) ? (
            <Textarea
              label="New description of the canonical issue"
              autosize
              minRows={4}
              maxRows={14}
              maxLength={MAX_DESCRIPTION_CHARS}
              disabled={writing.pending}
              value={description ?? planned ?? ''}
              onChange={(event) => setDescription(event.currentTarget.value)}
            />
          ) : null}
        </div>
      }
      writes={
        <>
          <Refusal
            error={writing.error}
            moved="The cluster and the preview were reloaded and are up to date."
          />
          <PreviewPane
            preview={preview}
            state={state}
            missing={payload === null ? 'Choose at least one issue to close.' : null}
            refusedTitle="This cluster cannot be resolved"
          >
            {(writes) => (
              <ClusterWrites
                preview={writes}
                canonicalId={canonical?.issue.id ?? ''}
                trackers={[...new Set(open.map(({ issue }) => trackerName(issue.tracker_id).inSentence))]}
                postedAs={trackerName(canonical?.issue.tracker_id ?? '').login}
                edited={{ comments, onComments: setComments, disabled: writing.pending }}
              />
            )}
          </PreviewPane>
        </>
      }
      footer={
        <div className={classes.footer}>
          <Button onClick={onCancel} disabled={writing.pending}>
            Cancel
          </Button>
          <span className={classes.state} role="status">
            {state.outdated && payload !== null ? 'Preparing the preview…' : null}
          </span>
          <ConfirmButton
            label={`Close ${issuesText(chosen.length)}`}
            ready={decided !== null}
            pending={writing.pending}
          />
        </div>
      }
    />
  );
}
