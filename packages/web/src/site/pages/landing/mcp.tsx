import { IconCopyCheck, IconGitMerge, IconHistory } from '@tabler/icons-react';
import { Link } from 'wouter';
import { UPCOMING } from '../../content/upcoming.ts';
import { IdeTabs } from '../../ide/ide-tabs.tsx';
import { Section, SectionHead } from '../../ui/section.tsx';
import { UpcomingNote } from '../../ui/upcoming-note.tsx';
import classes from './mcp.module.css';

const BOXES = [
  {
    icon: IconGitMerge,
    title: 'One interface',
    text: 'Create, search, update and assign issues on GitHub, GitLab and Jira with the same tools.',
  },
  {
    icon: IconCopyCheck,
    title: 'No new duplicates',
    text: 'Creating an issue answers with the likely original first, and files a new one only if you insist.',
  },
  {
    icon: IconHistory,
    title: 'Every write reviewed',
    text: 'Keys can be limited to proposing. Proposed changes wait for a person, step by step.',
  },
];

/** Winnow as an MCP server, and how a coding tool is connected to it. */
export function Mcp() {
  return (
    <Section>
      <div className={classes.head}>
        <SectionHead
          title="Turbocharge your AI Workflow with MCP"
          lead="One endpoint for every tracker. Your coding agent looks for duplicates before it files an issue, and what it writes lands as a change you can review."
        />
        <Link href="/whatis-mcp" className="link">
          What is MCP?
        </Link>
      </div>
      <UpcomingNote>{UPCOMING.mcp}</UpcomingNote>
      <ul className={classes.boxes}>
        {BOXES.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={22} stroke={1.75} aria-hidden />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <IdeTabs />
    </Section>
  );
}
