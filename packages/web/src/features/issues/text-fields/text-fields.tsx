import { TextInput } from '@mantine/core';
import { MAX_TITLE_CHARS } from '@winnow/contract/change';
import { type RefObject, useEffect, useRef } from 'react';
import type { KnownLines } from './source-runs.ts';
import { SourcedField } from './sourced-field.tsx';
import type { IssueTexts } from './text-edits.ts';

/** Error shown if the title is empty. */
export const TITLE_NEEDED = 'A title is needed.';

export type TextFieldsProps = {
  /** Suffix of the field labels in a form with two issues, such as ` of K-1`. */
  of?: string;
  texts: IssueTexts;
  known: KnownLines;
  disabled: boolean;
  /** If this element has the focus when the fields are mounted, the focus moves to the title. */
  startFrom?: RefObject<HTMLElement | null> | undefined;
  /** Ref to the description field, so that other components can insert text. */
  descriptionField?: RefObject<HTMLTextAreaElement | null> | undefined;
  onType: (field: keyof IssueTexts, text: string) => void;
};

/** Text fields for the title and description of an issue. */
export function TextFields(props: TextFieldsProps) {
  const { of = '', texts, known, disabled, startFrom, descriptionField, onType } = props;
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (startFrom !== undefined && startFrom.current === document.activeElement) title.current?.focus();
  }, [startFrom]);
  return (
    <>
      <TextInput
        ref={title}
        data-autofocus={startFrom === undefined ? undefined : true}
        label={`Title${of}`}
        value={texts.title}
        maxLength={MAX_TITLE_CHARS}
        disabled={disabled}
        error={texts.title.trim() === '' ? TITLE_NEEDED : null}
        dir="auto"
        onChange={(event) => onType('title', event.currentTarget.value)}
      />
      <SourcedField
        field={descriptionField}
        label={`Description${of}`}
        value={texts.description}
        known={known}
        disabled={disabled}
        onChange={(text) => onType('description', text)}
      />
    </>
  );
}
