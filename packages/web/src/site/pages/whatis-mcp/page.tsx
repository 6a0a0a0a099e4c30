import { Link } from 'wouter';
import { IdeTabs } from '../../ide/ide-tabs.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Actions } from '../../ui/section.tsx';
import classes from './page.module.css';

/** The page at `/whatis-mcp`: explains the Model Context Protocol and how Winnow uses it. */
export function Page() {
  return (
    <article className={classes.article}>
      <h1>What is MCP?</h1>
      <p className={classes.lead}>
        The Model Context Protocol is an open standard that lets AI tools use other programs: one protocol
        instead of a plug-in for every combination.
      </p>

      <h2>How it works</h2>
      <p>
        An AI tool such as a coding agent is the client. A program that offers something is the server: it
        lists its tools, each with a description and the format of its input and output. When the model
        decides that a tool helps, the client calls it and returns the result. The model sees only what the
        tools return, and can do only what they allow.
      </p>

      <h2>Winnow as an MCP server for issue trackers</h2>
      <p>
        Winnow puts the issues of all your trackers behind one such server, so that Claude Code, Cursor or
        Windsurf can work with them while you work on the code:
      </p>
      <ul>
        <li>
          <b>Search</b> issues by words or by meaning, and read them with their comments as context.
        </li>
        <li>
          <b>Create</b> an issue, and get the likely original first if someone has already reported it.
        </li>
        <li>
          <b>Update and assign</b> issues across GitHub, GitLab and Jira with the same tools.
        </li>
        <li>
          <b>Close duplicates</b> the way each tracker does it.
        </li>
      </ul>
      <p>
        Changes by tools are recorded like changes by people: with their author, and with Undo. A key can be
        limited to reading or to proposing; then a person decides.
      </p>

      <h2>How to start</h2>
      <p>
        The endpoint is <code>/mcp</code> over Streamable HTTP, with an API key as bearer token in the{' '}
        <code>Authorization</code> header. To see what an agent would work with, explore the sample backlog in
        the console first. The{' '}
        <Link href="/docs#mcp" className="link">
          documentation
        </Link>{' '}
        lists the tools, and the setup for other coding tools.
      </p>
      <div className={classes.setup}>
        <IdeTabs />
      </div>
      <Actions>
        <ButtonLink href="/register" kind="primary" size="lg" newTab>
          Sign up
        </ButtonLink>
        <ButtonLink href="/" size="lg">
          Back to Home
        </ButtonLink>
      </Actions>
    </article>
  );
}
