import { Textarea } from '@mantine/core';
import { FLOW_LIMITS, TEMPLATE_VARIABLES, type TemplateVariable } from '@winnow/contract/flow';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { completeName, type OpenName, openNameAt } from './completion.ts';
import classes from './prompt-field.module.css';

export type PromptFieldProps = {
  value: string;
  onChange: (value: string) => void;
  error?: ReactNode;
};

/**
 * Text field for the prompt. Two braces open a list of variables, which the user selects with arrow
 * keys and Enter.
 */
export function PromptField({ value, onChange, error }: PromptFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const caretToSet = useRef<number | null>(null);
  const listId = useId();
  const [open, setOpen] = useState<OpenName | null>(null);
  const [active, setActive] = useState(0);
  const optionId = (index: number) => `${listId}-${index}`;

  useLayoutEffect(() => {
    const caret = caretToSet.current;
    if (caret === null) return;
    caretToSet.current = null;
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
  });

  function look(element: HTMLTextAreaElement): void {
    const { value: text, selectionStart, selectionEnd } = element;
    setOpen(selectionStart === selectionEnd ? openNameAt(text, selectionEnd) : null);
    setActive(0);
  }

  function choose(name: TemplateVariable): void {
    const element = field.current;
    if (element === null || open === null) return;
    const next = completeName(element.value, element.selectionEnd, open, name);
    caretToSet.current = next.caret;
    setOpen(null);
    onChange(next.text);
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (open === null || event.nativeEvent.isComposing) return;
    const { names } = open;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const name = names[active];
    if (step !== undefined) setActive((active + step + names.length) % names.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && name !== undefined) choose(name);
    else if (event.key === 'Escape') setOpen(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className={classes.field}>
      <Textarea
        ref={field}
        label="Prompt"
        description="Instructions for the model. Type {{ to insert data of the event."
        autosize
        minRows={8}
        maxRows={24}
        maxLength={FLOW_LIMITS.prompt}
        spellCheck={false}
        classNames={{ input: classes.input ?? '' }}
        aria-autocomplete="list"
        aria-controls={open === null ? undefined : listId}
        aria-activedescendant={open === null ? undefined : optionId(active)}
        value={value}
        error={error}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          look(currentTarget);
        }}
        onClick={({ currentTarget }) => look(currentTarget)}
        onKeyDown={press}
        onBlur={() => setOpen(null)}
      />
      {open === null ? null : (
        <div className={classes.names} id={listId} role="listbox" aria-label="Event data">
          {open.names.map((name, index) => (
            <div
              key={name}
              id={optionId(index)}
              className={classes.name}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              ref={(element) => {
                if (index === active) element?.scrollIntoView({ block: 'nearest' });
              }}
              // Keep the focus and the caret in the text field.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setActive(index)}
              onClick={() => choose(name)}
              onKeyDown={() => undefined}
            >
              <code>{`{{${name}}}`}</code>
              <span>{TEMPLATE_VARIABLES[name]}</span>
            </div>
          ))}
        </div>
      )}
      <p className="vh" role="status">
        {open === null ? '' : `${open.names.length} variables. Choose with the arrow keys and Enter.`}
      </p>
    </div>
  );
}
