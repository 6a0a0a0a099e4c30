import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { siClaude, siCursor, siWindsurf } from 'simple-icons';
import {
  CODING_TOOLS,
  exportOf,
  IDE_NAMES,
  type Ide,
  piecesOf,
  setupFor,
} from '../../features/coding-tools/setup.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { useOrigin } from '../ui/use-browser-state.ts';
import classes from './ide-tabs.module.css';

const BRAND_ICONS = {
  'claude-code': siClaude,
  cursor: siCursor,
  windsurf: siWindsurf,
} as const satisfies Record<Ide, { path: string }>;

/** MCP setup instructions, one tab per coding tool. Without JavaScript, all of them are shown. */
export function IdeTabs() {
  const [active, setActive] = useState<Ide>('claude-code');
  const tabs = useRef<HTMLDivElement>(null);
  const id = useId();
  const origin = useOrigin();

  function onKeyDown({ key }: KeyboardEvent): void {
    const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const next = IDE_NAMES.at((IDE_NAMES.indexOf(active) + by) % IDE_NAMES.length);
    if (by === 0 || next === undefined) return;
    setActive(next);
    tabs.current?.querySelector<HTMLElement>(`[data-ide="${next}"]`)?.focus();
  }

  return (
    <div className={classes.ide}>
      <div ref={tabs} className={classes.tabs} role="tablist" aria-label="Coding tool" onKeyDown={onKeyDown}>
        {IDE_NAMES.map((ide) => (
          <button
            key={ide}
            type="button"
            role="tab"
            id={`${id}-${ide}-tab`}
            aria-controls={`${id}-${ide}`}
            aria-selected={ide === active}
            tabIndex={ide === active ? 0 : -1}
            data-ide={ide}
            onClick={() => setActive(ide)}
          >
            <BrandMark path={BRAND_ICONS[ide].path} size={18} />
            {CODING_TOOLS[ide].name}
          </button>
        ))}
      </div>
      {IDE_NAMES.map((ide) => (
        <div
          key={ide}
          className={classes.panel}
          role="tabpanel"
          id={`${id}-${ide}`}
          aria-labelledby={`${id}-${ide}-tab`}
          data-shown={ide === active || undefined}
        >
          <Setup ide={ide} origin={origin} />
        </div>
      ))}
    </div>
  );
}

function Setup({ ide, origin }: { ide: Ide; origin: string }) {
  const { name, place, key: keepKey } = CODING_TOOLS[ide];
  const setup = setupFor(ide, origin);
  let at = 0;
  const pieces = piecesOf(setup).map((piece) => {
    const key = at;
    at += piece.text.length;
    return (
      <span key={key} className={classes[piece.kind]}>
        {piece.text}
      </span>
    );
  });
  return (
    <>
      <div className={classes.before}>
        <h3>Before you start with {name}</h3>
        <ol>
          <li>
            Create an API key in the console under <b>Settings, API Keys</b>.
          </li>
          <li>
            {keepKey} <code>{exportOf('wnw_…')}</code>
          </li>
          <li>
            Add the server, then ask: <q>is this already reported?</q>
          </li>
        </ol>
      </div>
      <div className={classes.code}>
        <div className={classes.bar}>
          <span>{place}</span>
          <CopyButton text={setup} what={`the setup for ${name}`} />
        </div>
        <pre>
          <code>{pieces}</code>
        </pre>
      </div>
    </>
  );
}
