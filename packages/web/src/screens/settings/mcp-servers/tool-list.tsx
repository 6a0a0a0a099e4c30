import { IconEye, IconPencil } from '@tabler/icons-react';
import type { McpServerTool } from '@winnow/contract/mcp-server';
import { Badge } from '../../../theme/parts/badge.tsx';
import classes from './mcp-servers.module.css';

/** List of a server's tools with their descriptions. A long list can be scrolled. */
export function ToolList({ tools, id }: { tools: readonly McpServerTool[]; id?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
    <section className={classes.tools} id={id} aria-label="Tools" tabIndex={0}>
      <ul>
        {tools.map(({ name, title, description, read_only }) => (
          <li key={name} className={classes.tool}>
            <span className={classes.toolHead}>
              <code>{name}</code>
              {title === null ? null : <span className={classes.toolTitle}>{title}</span>}
              {read_only ? (
                <Badge small icon={IconEye}>
                  Reads
                </Badge>
              ) : (
                <Badge small tone="warning" icon={IconPencil}>
                  May write
                </Badge>
              )}
            </span>
            {description === '' ? null : <p className={classes.toolText}>{description}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
