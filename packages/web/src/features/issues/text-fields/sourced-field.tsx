import { Input } from '@mantine/core';
import { MAX_DESCRIPTION_CHARS } from '@winnow/contract/change';
import { type RefObject, useId, useMemo } from 'react';
import { type KnownLines, SOURCES, sourceRuns, sourcesText } from './source-runs.ts';
import classes from './sourced-field.module.css';

/** Gives an empty line the height of a line with text. */
const ZERO_WIDTH_SPACE = '\u200b';

export type SourcedFieldProps = {
  field?: RefObject<HTMLTextAreaElement | null> | undefined;
  label: string;
  value: string;
  known: KnownLines;
  disabled: boolean;
  onChange: (text: string) => void;
};

/**
 * Description editor that marks the source of each line with a sign and a color, and summarizes the
 * sources below. A hidden copy of the text behind the field aligns the signs with wrapped lines.
 */
export function SourcedField({ field, label, value, known, disabled, onChange }: SourcedFieldProps) {
  const id = useId();
  const runs = useMemo(() => sourceRuns(value, known), [value, known]);
  const placed = runs.map((run, at) => ({ ...run, at }));
  return (
    <Input.Wrapper label={label} id={id}>
      <div className={classes.area}>
        <div className={classes.layers}>
          <div className={classes.behind} aria-hidden="true">
            {placed.map(({ source, lines, at }) => (
              <div className={classes.run} data-source={source} key={at}>
                <span className={classes.sign}>{SOURCES[source].sign}</span>
                {lines.map((line) => (line === '' ? ZERO_WIDTH_SPACE : line)).join('\n')}
              </div>
            ))}
          </div>
          <textarea
            ref={field}
            className={classes.text}
            id={id}
            aria-describedby={`${id}-sources`}
            dir="auto"
            spellCheck={false}
            maxLength={MAX_DESCRIPTION_CHARS}
            disabled={disabled}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      </div>
      <p className={classes.summary} id={`${id}-sources`}>
        {sourcesText(runs)}
      </p>
    </Input.Wrapper>
  );
}
